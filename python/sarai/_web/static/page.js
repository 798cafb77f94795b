// The page of `sarai serve`: a table whose host is the server. It holds the token of its session for as long as its tab
// is open, and the game as text, so that neither a reload nor a server that was started again loses anything.
import { Table } from "/board.js";
import { edit } from "/editor.js";

const TOKEN = "sarai.token";
const GAME = "sarai._game";
const said = document.getElementById("connection");
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const next = (name) => new Promise((done) => document.addEventListener(name, done, { once: true }));

class Lost extends Error {}

let forgets = false;

/** What the browser stores for this page. It may refuse to, as where cookies are blocked; then nothing survives a reload. */
function store(name) {
  try {
    window[name].getItem("");
    return window[name];
  } catch {
    forgets = true;
    const kept = new Map();
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  }
}

const ofTab = store("sessionStorage");
const ofBrowser = store("localStorage");

class Server {
  constructor() {
    this.token = ofTab.getItem(TOKEN);
    this.listeners = [];
    this.saved = null;
  }

  onchange(callback) {
    this.listeners.push(callback);
  }

  async ask(path, body) {
    let answer;
    try {
      answer = await fetch(path, {
        method: body ? "POST" : "GET",
        headers: { ...(body && { "Content-Type": "application/json" }), ...(this.token && { "Sarai-Session": this.token }) },
        body: body && JSON.stringify(body),
      });
    } catch {
      throw new Lost("The server does not answer: your last choice was not played.");
    }
    return answer;
  }

  async begin() {
    this.token = null;
    const answer = await this.ask("/api/session", {});
    const { token, error } = await answer.json();
    if (error) throw new Error(error);
    this.token = token;
    ofTab.setItem(TOKEN, token);
  }

  async send(command) {
    if (!this.token) await this.begin();
    const { token } = this;
    const answer = await this.ask("/api/command", command);
    const told = await answer.json();
    if (answer.status === 410) {
      await this.restore(told.error, token);
      return this.send(command.do === "catalogue" || command.do === "theme" ? command : { do: "stop" });
    }
    if (told.svg) this.keep(told);
    return { ...told, session: this.token };
  }

  /** A new session in place of one that is gone, with the game as this page has it. */
  restore(why, token) {
    // A command and the stream of changes may both find that it is gone.
    if (token === this.token) this.restoring ??= this.replace(why).finally(() => (this.restoring = null));
    return this.restoring;
  }

  async replace(why) {
    const kept = ofTab.getItem(GAME);
    await this.begin();
    this.stream?.abort();
    if (!kept) return this.tell(`A new session was begun: ${why}.`, true);
    const answer = await (await this.ask("/api/command", { do: "load", record: kept })).json();
    this.tell(answer.error ? `The game is lost: ${why}.` : "The server was started again; your game was put back from this page.", true);
  }

  /** Keep the game in the page as often as a person is to choose. */
  async keep({ game, rules, seats, seed, position, length, thinking, at }) {
    const mark = JSON.stringify([game, rules, seats, seed, position, length]);
    if (thinking !== null || at !== length || mark === this.saved) return;
    this.saved = mark;
    const answer = await this.ask("/api/command", { do: "save" }).catch(() => null);
    const { record } = answer ? await answer.json() : {};
    if (record) ofTab.setItem(GAME, record);
    // Whatever is shown next is another chance.
    else if (this.saved === mark) this.saved = null;
  }

  tell(words, lost = false) {
    said.textContent = words;
    said.classList.toggle("is-lost", lost);
  }

  /**
   * Listen to the server as long as the page can be seen, whatever happens to the connection. A browser keeps six
   * connections to a server and lets all else wait: a page that listened in the background would take one of them.
   */
  async listen() {
    document.addEventListener("visibilitychange", () => document.hidden && this.stream?.abort());
    for (let pause = 500; ; pause = Math.min(2 * pause, 5000)) {
      while (document.hidden) await next("visibilitychange");
      try {
        const token = this.token;
        this.stream = new AbortController();
        const answer = await fetch("/api/changes", { headers: { "Sarai-Session": token }, signal: this.stream.signal });
        if (answer.status === 410) {
          await this.restore((await answer.json()).error, token);
          continue;
        }
        if (!answer.ok) throw new Lost();
        if (said.textContent.startsWith("The connection")) this.tell("Connected again.");
        pause = 500;
        await this.read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), token);
      } catch (error) {
        if (error.name === "AbortError") continue;
      }
      this.tell("The connection to the server is lost; trying again. Saved games are kept, and this one is kept in this page.", true);
      await wait(pause);
    }
  }

  async read(reader, token) {
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) {
        if (!event.startsWith("data: ")) continue;
        const snapshot = { ...JSON.parse(event.slice(6)), session: token };
        this.keep(snapshot);
        for (const each of this.listeners) each(snapshot);
      }
    }
  }
}

const server = new Server();
const wanted = ofBrowser.getItem("sarai.theme");
const table = new Table(document.getElementById("table"), server, { theme: wanted, edit });
const paint = () => (document.documentElement.dataset.theme = table.box.dataset.theme);
new MutationObserver(paint).observe(table.box, { attributes: true });
table.box.addEventListener("sarai-theme", (event) => ofBrowser.setItem("sarai.theme", event.detail));
paint();
try {
  await table.start();
  if (forgets) server.tell("This browser stores nothing for this page: a reload begins a new game.");
  server.listen();
} catch (error) {
  server.tell(error.message, true);
}

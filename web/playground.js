// Games to play in a page without a server: the engine, a host in the page, and the board of all pages. It fills every
// element of the class "sarai-playground"; data-game and data-preset say what is played first.
//
// The address of the page may say so too: "?game=shah&preset=nine_mens_morris&theme=dark&pace=0", where "pace" is how
// many milliseconds each step of the others is shown for.

import { Table } from "./board.js";
import { load } from "./engine.js";
import { Host } from "./host.js";
import { Thinker } from "./thinking.js";

const page = document.documentElement;
const wanted = new URLSearchParams(location.search);
const beside = (name) => new URL(name, import.meta.url);
const roots = [...document.querySelectorAll(".sarai-playground")];
const make = () => new Worker(beside("worker.js"), { type: "module" });

/** Tell something in place of a board. */
function tell(root, words) {
  const news = document.createElement("p");
  news.setAttribute("role", "status");
  news.textContent = words;
  root.replaceChildren(news);
}

/** The looks of the board, where the page does not have them. */
function dress() {
  const href = beside("board.css").href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href });
  document.head.append(link);
}

/** Go on with the game of before a reload, and keep it for the next one, for as long as the tab is open. */
async function keep(host, key, shown) {
  // A browser may refuse to keep anything.
  const attempt = (act) => { try { return act(); } catch { return null; } };
  const kept = JSON.parse(attempt(() => sessionStorage.getItem(key)));
  const told = kept && (await host.send({ do: "load", record: kept.record }));
  if (told && !told.error) {
    if (kept.at < kept.length || told.at < kept.at) await host.send({ do: "go", to: kept.at });
    if (kept.paused) await host.send({ do: "stop" });
  }
  const save = async () => {
    const { record } = await host.send({ do: "save" });
    const { at, length, paused } = shown();
    attempt(() => sessionStorage.setItem(key, JSON.stringify({ record, at, length, paused })));
  };
  // A telephone ends a page that is out of sight without a word.
  addEventListener("pagehide", save);
  document.addEventListener("visibilitychange", () => document.hidden && save());
}

/** What a game's rules are, from the files that the page loads only when somebody asks for them. */
async function texts(game) {
  const read = async (kind) => {
    const answer = await fetch(beside(`${game}.${kind}.md`));
    if (!answer.ok) throw new Error(`The rules could not be loaded: ${answer.status}`);
    return answer.text();
  };
  const [how_to_play, rule_book] = await Promise.all(["how_to_play", "rules"].map(read));
  return { error: null, how_to_play, rule_book };
}

async function fill(root, engine) {
  const { game = wanted.get("game"), preset = wanted.get("preset"), whole } = root.dataset;
  const given = wanted.get("theme") ?? page.dataset.theme;
  const theme = given ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const pace = Number(wanted.get("pace") ?? 400) || 0;
  const host = new Host(engine, new Thinker(make, engine), { theme, game, preset, pace, texts });
  root.replaceChildren();
  const table = new Table(root, host, { theme: given });
  // Where the board is the whole page, the page follows it; elsewhere it follows the page.
  const [from, follow] = whole === undefined
    ? [page, () => page.dataset.theme && table.send({ do: "theme", theme: page.dataset.theme })]
    : [table.box, () => (page.dataset.theme = table.box.dataset.theme)];
  new MutationObserver(follow).observe(from, { attributes: true, attributeFilter: ["data-theme"] });
  if (whole !== undefined) follow();
  await keep(host, `sarai ${location.pathname}${location.search} ${roots.indexOf(root)}`, () => table.shown);
  await table.start();
}

dress();
for (const root of roots) tell(root, "Loading the games…");
try {
  const engine = await load(beside("sarai.wasm"));
  for (const root of roots) await fill(root, engine);
} catch (error) {
  for (const root of roots) tell(root, `The games could not be loaded: ${error.message}`);
}

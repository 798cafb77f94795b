// The board in a notebook: a table whose host is the kernel. This file and board.js become one module, which anywidget
// loads; nothing is fetched.
import { Table } from "./board.js";
import { edit } from "./editor.js";

/** Milliseconds after which a kernel that has not answered is spoken of. */
const LATE = 8000;

const STATE = "application/vnd.jupyter.widget-state+json";

/** The board as it was left, for whoever opens a notebook without its kernel. It stands alone: notebooks keep its text. */
function showStill({ model, el }) {
  const picture = document.createElement("img");
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(model.get("_still"))}`;
  picture.alt = model.get("_words");
  picture.style.cssText = "display: block; width: min(100%, 600px); height: auto";
  const note = document.createElement("p");
  note.textContent = "This is a picture of the board. Run the cell to play.";
  el.replaceChildren(picture, note);
  return note;
}

/** Commands go out as messages. Answers come back under their number, changes by themselves. */
class Kernel {
  constructor(model) {
    this.model = model;
    this.name = Math.random().toString(36).slice(2);
    this.number = 0;
    this.waiting = new Map();
    this.listeners = [];
    this.troubled = () => {};
    this.hear = (message) => this.#hear(message);
    model.on("msg:custom", this.hear);
  }

  onchange(callback) {
    this.listeners.push(callback);
  }

  send(command) {
    const id = `${this.name} ${(this.number += 1)}`;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.troubled("The kernel does not answer: it is busy, or gone."), LATE);
      this.waiting.set(id, { resolve, reject, late });
      this.model.send({ id, command });
    });
  }

  /** Nobody will answer any more. */
  lose() {
    for (const { reject, late } of this.waiting.values()) {
      clearTimeout(late);
      reject(new Error("The kernel is gone: run the cell again to play."));
    }
    this.waiting.clear();
  }

  close() {
    this.model.off("msg:custom", this.hear);
    this.lose();
  }

  #hear({ id, answer, shown, trouble }) {
    if (shown) for (const each of this.listeners) each(shown);
    if (trouble) this.troubled(trouble);
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.late);
    this.waiting.delete(id);
    waiting.resolve(answer);
  }
}

/** Whether what lies around an element is dark: every notebook says so in its own way, but all of them paint. */
function isDark(el) {
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // An element that is not yet in the page will stand somewhere in its body.
  for (let node = el.isConnected ? el : document.body; node; node = node.parentElement ?? node.getRootNode().host) {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = getComputedStyle(node).backgroundColor;
    brush.fillRect(0, 0, 1, 1);
    const [red, green, blue, cover] = brush.getImageData(0, 0, 1, 1).data;
    if (cover > 127) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Tell of the theme as often as it changes. */
function followTheme(el, told, signal) {
  let dark = isDark(el);
  const look = () => {
    if (!el.isConnected || isDark(el) === dark) return;
    dark = !dark;
    told(dark ? "dark" : "light");
  };
  // The sheets of a theme may come after the word that it has changed.
  const watch = new MutationObserver(() => [0, 300, 1500].forEach((wait) => setTimeout(look, wait)));
  for (const node of [document.documentElement, document.body]) watch.observe(node, { attributes: true });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look, { signal });
  const placed = new ResizeObserver(look);
  placed.observe(el);
  signal.addEventListener("abort", () => (watch.disconnect(), placed.disconnect()));
  return dark ? "dark" : "light";
}

/** Keys that are pressed on the board are not meant for the notebook, where some of them delete cells. */
function keepKeys(el, signal) {
  const mark = "data-lm-suppress-shortcuts";
  const press = (event) => {
    if (!event.composedPath().includes(el)) return;
    // But whoever saves, saves.
    if (event.ctrlKey || event.metaKey || event.altKey) el.removeAttribute(mark);
    else el.setAttribute(mark, "true");
  };
  window.addEventListener("keydown", press, { capture: true, signal });
  el.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  }, { signal });
}

/** Write the picture into a Jupyter notebook that is being saved, in place of boards that are no longer in it. */
function write(model, notebook) {
  const key = model.get("_key");
  const cells = JSON.stringify(notebook.toJSON().cells);
  const kind = model.get("_anywidget_id");
  const kept = notebook.getMetadata("widgets")?.[STATE]?.state ?? {};
  const state = Object.fromEntries(
    Object.entries(kept).filter(([id, each]) => id !== key && (each.state?._anywidget_id !== kind || cells.includes(id))));
  if (cells.includes(key)) {
    const names = ["_model_module", "_model_module_version", "_model_name", "_view_module", "_view_module_version",
      "_view_name", "_anywidget_id", "_still", "_words"];
    state[key] = {
      model_module: model.get("_model_module"),
      model_module_version: model.get("_model_module_version"),
      model_name: model.get("_model_name"),
      state: {
        ...Object.fromEntries(names.map((name) => [name, model.get(name)])),
        _esm: `export default { render(given) { (${showStill})(given); } };`,
        layout: null,
      },
    };
  }
  notebook.setMetadata("widgets", { ...notebook.getMetadata("widgets"), [STATE]: { version_major: 2, version_minor: 0, state } });
}

function initialize({ model }) {
  const context = model.widget_manager?.context;
  if (!context?.saveState?.connect || !context.model?.setMetadata) return undefined;
  const saving = (_, stage) => {
    if (stage === "started" && context.model) write(model, context.model);
  };
  context.saveState.connect(saving);
  return () => context.saveState.disconnect(saving);
}

function render({ model, el }) {
  const ending = new AbortController();
  const { signal } = ending;
  const host = new Kernel(model);
  el.classList.add("sarai-widget");
  keepKeys(el, signal);

  // A picture until the kernel answers, which it may never do.
  const still = document.createElement("div");
  el.append(still);
  const note = showStill({ model, el: still });
  note.hidden = true;
  const late = setTimeout(() => (note.hidden = false), LATE);

  const place = document.createElement("div");
  place.hidden = true;
  el.append(place);
  const theme = followTheme(el, (changed) => table.send({ do: "theme", theme: changed }), signal);
  const table = new Table(place, host, { theme, edit });
  // The board is as light or as dark as the notebook.
  table.tool.theme.hidden = true;
  // The game was chosen in the cell.
  table.begin.open = false;
  host.troubled = (sentence) => table.board.say(sentence, "is-wrong");
  const start = async () => {
    await table.start();
    // What came meanwhile by itself had the theme of the kernel.
    await table.send({ do: "theme", theme: isDark(el) ? "dark" : "light" });
    clearTimeout(late);
    still.hidden = true;
    place.hidden = false;
  };
  const gone = () => {
    host.lose();
    if (place.hidden) return;
    showStill({ model, el: still });
    still.hidden = false;
    place.hidden = true;
  };
  const live = () => {
    gone();
    start().catch(() => {});
  };
  model.on("comm_live_update", live);
  start().catch(() => {});
  return () => {
    clearTimeout(late);
    ending.abort();
    model.off("comm_live_update", live);
    host.close();
  };
}

export default { initialize, render };

// The page on which every game is played without a server: the engine, a host in this page, and the board of all pages.
// Its address may say what is played first and how: "?game=shah&preset=nine_mens_morris&theme=dark&pace=0", the pace being
// for how many milliseconds each step of the others is seen.

import { Table } from "./board.js";
import { load } from "./engine.js";
import { Host } from "./host.js";
import { Thinker } from "./thinking.js";

const news = document.getElementById("news");

try {
  const engine = await load(new URL("sarai.wasm", import.meta.url));
  const make = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const wanted = new URLSearchParams(location.search);
  const theme = wanted.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const host = new Host(engine, new Thinker(make, engine), {
    theme,
    game: wanted.get("game"),
    preset: wanted.get("preset"),
    pace: Number(wanted.get("pace") ?? 400) || 0,
  });
  const table = new Table(document.getElementById("table"), host, { theme: wanted.get("theme") });
  const paint = () => (document.documentElement.dataset.theme = table.box.dataset.theme);
  new MutationObserver(paint).observe(table.box, { attributes: true });
  paint();
  await table.start();
  news.textContent = "";
} catch (error) {
  news.textContent = `The games could not be loaded: ${error.message}`;
}

// Compiled, not run: what engine.d.ts promises can be used so.
import { type Analysis, type CatalogueEntry, EngineError, load } from "../engine.js";

const engine = await load(new URL("sarai.wasm", "https://example.org"));
const entries: CatalogueEntry[] = engine.catalogue();
const game = engine.make(entries[0].name, { preset: null, rules: { players: 2 } });
const state = game.start({ seed: 2n ** 64n - 1n });
state.roll();
const { action } = state.choose("mcts:200");
const told: Analysis = state.analyse("expectimax:1", { seed: "7" });
const name: string = state.play(action).name + told.lines[0].name;
try {
  state.play(name);
} catch (error) {
  if (error instanceof EngineError) console.error(error.message);
}
// @ts-expect-error a seed is no object
game.start({ seed: {} });
// @ts-expect-error a theme is one of two words
state.scene({ theme: "blue" });

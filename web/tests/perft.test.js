// The counts of paths of tests/perft are the same here.
import assert from "node:assert/strict";
import test from "node:test";
import { engine, files } from "./engine.js";

for (const [name, text] of files("perft", ".perft")) {
  test(`counts of ${name}`, () => {
    const blocks = text.replace(/^#.*\n/gm, "").split(/\n\n+/).filter((block) => block.trim());
    assert.ok(blocks.length > 10, `${blocks.length} blocks`);
    for (const block of blocks) {
      const { game, rules, position, depth, count } =
        Object.fromEntries(block.trim().split("\n").map((line) => line.match(/^(\w+): (.*)$/).slice(1)));
      const book = engine.make(game, { rules: JSON.parse(rules) });
      const state = book.start({ position: position === "start" ? null : position });
      assert.equal(state.perft(Number(depth)), Number(count), block);
      state.free();
      book.free();
    }
  });
}

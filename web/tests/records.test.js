// Records of the Python package load here and are written again byte for byte; the same seed gives the same game.
import assert from "node:assert/strict";
import test from "node:test";
import { engine, files } from "./engine.js";

const RECORDS = files("python/records/earlier", ".txt");
const JSONS = new Map(files("python/records/earlier", ".json"));

for (const [name, text] of RECORDS) {
  test(`${name} is written as it was read`, () => {
    const { state } = engine.load(text);
    assert.equal(state.record(), text);
    const json = JSONS.get(name.replace(".txt", ".json"));
    assert.equal(engine.load(json).state.record(), text);
    assert.equal(state.record({ form: "json" }), json.trimEnd());
  });

  test(`${name} is the game that its seed gives`, () => {
    const { game, state: recorded, seed, number, agents } = engine.load(text);
    const state = game.start({ seed, number });
    for (let view = state.view(); !view.over; view = state.view()) {
      if (view.chance) state.roll();
      else state.play(state.choose(agents[view.player]).action);
    }
    assert.deepEqual(state.steps(), recorded.steps());
  });
}

test("a position and a game in the middle are written and read", () => {
  const game = engine.make("sho");
  const state = game.start({ seed: 3 });
  for (let step = 0; step < 20; step += 1) {
    state.roll();
    state.play(state.choose("greedy").action);
  }
  const { position } = state.view();
  const later = game.start({ position, seed: 4 });
  later.roll();
  later.play(later.legal().moves[0].name);
  const text = later.record({ agents: ["human", "a \"b\" é", "x", "y"].slice(0, game.numPlayers) });
  assert.match(text, /\nstart: /);
  // As Python's json.dumps writes it.
  assert.ok(text.includes('\nagents: ["human", "a \\"b\\" \\u00e9", "x"'), text);
  const again = engine.load(text);
  assert.equal(again.state.record(), text);
  assert.equal(again.state.copy(0).view().position, position);
  assert.equal(again.state.view().position, later.view().position);
});

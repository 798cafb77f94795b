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

test("a record that was changed is refused with its line", () => {
  const [, text] = RECORDS.find(([name]) => name.startsWith("shah"));
  const refused = (changed, words) => assert.throws(() => engine.load(changed), { name: "EngineError", message: words });
  refused("", /not a record: its first line is ''/);
  refused(text.replace("sarai record 1", "sarai record 2"), /format version 2/);
  refused(text.replace("game: shah", "game: chess"), /line 3: unknown game 'chess'/);
  refused(text.replace("game:", "gaem:"), /line 2: 'gaem: shah' is not a line of the header \(did you mean 'game'\?\)/);
  refused(text.replace("1. 0: d6", "1. 1: d6"), /line 9, step 0: player 1 is to play 'd6', but it is player 0's turn/);
  refused(text.replace("1. 0: d6", "1. 0: z9"), /line 9, step 0: 'z9' is not the name of a legal action/);
  refused(text.replace("2. 1: c3", "3. 1: c3"), /this line has the number 3, but 2 is next/);
  refused(text.replace("2. 1: c3", "2. [3] 1: c3"), /the outcome \[3\] stands where no chance is due/);
  refused(text.replace('"winner": 0', '"winner": 1'), /line 7: the result says/);
  refused(text.replace("seed: 1", "seed: -1"), /line 4: 'seed' must be a whole number/);
});

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

// The games that tests/engine/golden.rs wrote down natively are the same here: positions, observations, legal moves, and
// whole games of the agents.
import assert from "node:assert/strict";
import test from "node:test";
import { engine, files, hex, sum } from "./engine.js";

const GAMES = files("golden", ".txt");

/** The parts of a transcript: rules, steps, the last position with its returns, and the agents' games. */
function read(name, text) {
  const [head, ...blocks] = text.trimEnd().split("\n\n");
  const [label, rules] = head.split("\n");
  const game = engine.make(label.match(/^# (\w+)\//)[1], { rules: JSON.parse(rules.replace("# rules ", "")) });
  const steps = [];
  let rest = blocks;
  while (/^[0-9]+: .*\n {3}observations/.test(rest[0])) {
    const [first, ...lines] = rest.shift().split("\n");
    const [, number, position] = first.match(/^([0-9]+): (.*)$/);
    const told = Object.fromEntries(lines.map((line) => line.trim().match(/^(\w+) (.*)$/).slice(1)));
    steps.push({ number: Number(number), position, ...told });
  }
  const [end, returns, ...agents] = rest.join("\n").split("\n");
  assert.match(returns, /^ {3}returns/, name);
  return { game, steps, end: end.replace(/^[0-9]+: /, ""), returns: JSON.parse(returns.replace(/^ *returns/, "")), agents };
}

for (const [name, text] of GAMES) {
  test(`transcript ${name}`, () => {
    const { game, steps, end, returns } = read(name, text);
    assert.ok(steps.length >= 40, `${steps.length} steps`);
    for (const [i, step] of steps.entries()) {
      const state = game.start({ position: step.position });
      assert.equal(state.view().position, step.position);
      const cells = Array.from({ length: game.numPlayers }, (_, viewer) => state.observe(viewer)).flat();
      assert.equal(hex(sum(cells.map((cell) => cell & 255))), step.observations, `step ${step.number}`);
      const { moves, outcomes } = state.legal();
      if (step.outcome) {
        state.play(outcomes.find((outcome) => outcome.name === step.outcome).outcome);
      } else {
        assert.equal(moves.map((move) => move.name).join(", "), step.legal);
        const [, played, id] = step.plays.match(/^(.*) \(([0-9]+)\)$/);
        assert.equal(state.play(Number(id)).name, played);
      }
      const after = steps[i + 1];
      if (after?.number === step.number + 1) assert.equal(state.view().position, after.position);
    }
    const over = game.start({ position: end }).view();
    assert.ok(over.over);
    assert.deepEqual(over.returns, returns);
  });

  test(`agents of ${name}`, () => {
    const { game, agents } = read(name, text);
    assert.ok(agents.length >= 8, `${agents.length} games`);
    // Trees are kept in rollouts; a state here begins every choice anew.
    for (const line of agents.filter((line) => !line.includes("reuse_tree=true"))) {
      const [, agent, number, length, digits] = line.match(/^(.*), game ([0-9]+): ([0-9]+) steps, (\w+): /);
      const state = game.start({ seed: 26, number });
      while (!state.view().over) {
        if (state.view().chance) state.roll();
        else state.play(state.choose(agent).action);
      }
      const path = state.steps().map((step) => step.id);
      assert.equal(path.length, Number(length), line);
      assert.equal(hex(sum(path)), digits, line);
      state.free();
    }
  });
}

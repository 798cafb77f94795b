// The host of the playground: whole games by its commands, what it refuses, and the same games as those of `sarai serve`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Host } from "../host.js";
import { Stopped } from "../thinking.js";
import { engine } from "./engine.js";

/** Thinks at once. */
class Quick {
  async ask(task) {
    return engine.ask(task);
  }

  stop() {}
}

/** Thinks until it is called off. */
class Slow {
  asked = 0;

  ask() {
    this.asked += 1;
    return new Promise((_, failed) => (this.failed = failed));
  }

  stop() {
    this.failed?.(new Stopped());
  }
}

/** A host, and a promise of the first snapshot of which something is true. */
function begin(thinker = new Quick()) {
  const host = new Host(engine, thinker, { pace: 0 });
  const until = (what) => new Promise((done) => {
    const look = (snapshot) => what(snapshot) && done(snapshot);
    host.onchange(look);
    host.send({ do: "theme", theme: "light" }).then(look);
  });
  return { host, until };
}

const rests = (snapshot) => snapshot.thinking === null;

for (const { name, presets } of engine.catalogue()) {
  test(`a whole game of ${name} by commands`, async () => {
    const { host, until } = begin();
    let shown = await host.send({ do: "new", game: name, seats: ["person", ...Array(presets[0].players.length - 1).fill("random")], seed: 5 });
    assert.equal(shown.error, null);
    for (let turn = 0; !shown.over; turn += 1) {
      assert.ok(turn < 5000);
      shown = await until((snapshot) => rests(snapshot) && (snapshot.mine || snapshot.over));
      if (shown.over) break;
      assert.match(shown.svg, /^<svg/);
      assert.ok(shown.moves.length > 0);
      for (const { places } of shown.moves) for (const place of places) assert.ok(shown.points[place]);
      const { action } = shown.moves[turn % shown.moves.length];
      const { version } = shown;
      shown = await host.send({ do: "play", action, seat: shown.player, at: shown.length });
      assert.equal(shown.error, null);
      assert.ok(shown.version > version);
    }
    assert.match(shown.result, /^The game is (over: .* wins?|a draw)/);
    const { record } = await host.send({ do: "save", format: "text" });
    const again = await host.send({ do: "load", record });
    assert.deepEqual([again.at, again.length, again.error], [0, shown.length, null]);
    assert.equal((await host.send({ do: "go", to: shown.length })).position, shown.position);
    assert.equal((await host.send({ do: "save", format: "text" })).record, record);
    const json = await host.send({ do: "save" });
    assert.equal(JSON.parse(json.record).steps.length, shown.length);
    const back = await host.send({ do: "undo" });
    assert.ok(back.length < shown.length && back.mine);
  });
}

for (const [name, record] of Object.entries(JSON.parse(readFileSync(new URL("sessions.json", import.meta.url), "utf8")))) {
  test(`the same seed gives the game of ${name} that "sarai serve" plays`, async () => {
    const { host, until } = begin();
    const { seed, agents, state } = engine.load(record);
    await host.send({ do: "new", game: name, seats: agents, seed });
    const shown = await until((snapshot) => snapshot.over && rests(snapshot));
    assert.equal(shown.length, state.steps().length);
    assert.equal((await host.send({ do: "save", format: "text" })).record, record);
  });
}

for (const [name, record] of Object.entries(JSON.parse(readFileSync(new URL("sessions.json", import.meta.url), "utf8")))) {
  test(`a game of ${name} that was left on another surface goes on as it would have there`, async () => {
    const { host, until } = begin();
    const lines = record.split("\n");
    const [result] = lines.filter((line) => line.startsWith("result"));
    const left = lines.slice(0, lines.length >> 1).join("\n").replace(result, "result: unfinished");
    assert.equal((await host.send({ do: "load", record: left })).error, null);
    await until((snapshot) => snapshot.over && rests(snapshot));
    assert.equal((await host.send({ do: "save", format: "text" })).record, record);
  });
}

test("advice, and what a move makes of it", async () => {
  const { host, until } = begin();
  await host.send({ do: "new", game: "shah", seed: 1 });
  await host.send({ do: "hint" });
  const { hint, moves } = await until((snapshot) => snapshot.hint !== null);
  assert.ok(moves.some((move) => move.action === hint));
  await host.send({ do: "analyse", agent: "mcts:50" });
  const told = await until((snapshot) => snapshot.analysis !== null);
  assert.equal(told.analysed_by, "mcts:50");
  assert.equal(told.analysis.length, moves.length);
  assert.ok(told.analysis[0].visits >= told.analysis[1].visits);
  await host.send({ do: "play", action: hint });
  const after = await until((snapshot) => snapshot.mine && snapshot.length === 2);
  assert.deepEqual([after.hint, after.analysis], [null, null]);
});

test("thinking can be called off, and gone on with", async () => {
  const slow = new Slow();
  const { host } = begin(slow);
  await host.send({ do: "new", game: "shah", seats: ["greedy", "person"], seed: 1 });
  assert.equal((await host.send({ do: "catalogue" })).games.length, 4);
  assert.equal((await host.send({ do: "theme", theme: "dark" })).thinking, 0);
  assert.match((await host.send({ do: "hint" })).error, /somebody is thinking/);
  assert.match((await host.send({ do: "play", action: 0 })).error, /it is the turn of white \(greedy\)/);
  const held = await host.send({ do: "stop" });
  assert.deepEqual([held.thinking, held.paused, held.error], [null, true, null]);
  assert.equal((await host.send({ do: "go", to: 0 })).thinking, 0);
  assert.equal(slow.asked, 2);
  assert.equal((await host.send({ do: "new", game: "shah", seed: 1 })).thinking, null);
});

test("an agent that fails holds the game and says why", async () => {
  const { host, until } = begin({ ask: async () => { throw new Error("no memory"); }, stop() {} });
  host.send({ do: "new", game: "shah", seats: ["greedy", "person"], seed: 1 });
  const { error, paused, thinking } = await until((snapshot) => snapshot.paused);
  assert.deepEqual([error, paused, thinking], ["no memory", true, null]);
});

// What each command refuses, tests/python/web/test_session.py says: the session is the same.
test("what is refused changes nothing", async () => {
  const { host } = begin(new Slow());
  const before = await host.send({ do: "new", game: "shah", seed: 1 });
  for (const command of [null, undefined, 3, {}, { do: "og" }, { do: "go", to: -1 }, { do: "play", action: 191 }, { do: "undo" },
    { do: "new", game: "shah", seats: ["person", "net:x"] }, { do: "load", record: "x".repeat(2 ** 20 + 1) }]) {
    const answer = await host.send(command);
    assert.ok(answer.error.length > 10, JSON.stringify(command));
    assert.deepEqual({ ...answer, error: null }, before);
  }
});

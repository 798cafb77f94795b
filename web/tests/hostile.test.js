// Whatever comes in, a sentence comes out, and the engine goes on.
import assert from "node:assert/strict";
import test from "node:test";
import { EngineError, load } from "../engine.js";
import { bytes, engine } from "./engine.js";

const game = engine.make("sho");
const state = game.start();
const other = engine.make("shah").start();

/** What an engine of our own says to raw bytes. */
const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(bytes), {});
function raw(request) {
  const room = exports.sarai_room(request.length) >>> 0;
  new Uint8Array(exports.memory.buffer, room, request.length).set(request);
  const length = exports.sarai_call() >>> 0;
  return JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.sarai_answer() >>> 0, length)));
}
const text = (request) => raw(new TextEncoder().encode(request));

test("the engine asks the page for nothing", async () => {
  assert.deepEqual(WebAssembly.Module.imports(await WebAssembly.compile(bytes)), []);
});

test("requests that are none", () => {
  for (const request of ["", "{", "null", "[]", "3", '"do"', "{}", '{"do": 3}', '{"do": null}', '{"do": "make"}',
    "[".repeat(100_000), `{"do": "make", "rules": ${"[".repeat(100_000)}`, '{"do": "\ud800"}', `"${"x".repeat(1e6)}"`]) {
    const { error } = text(request);
    assert.equal(typeof error, "string", request.slice(0, 80));
    assert.ok(error.length < 500, error);
  }
  assert.match(raw(new Uint8Array([0xff, 0xfe, 0x00])).error, /not valid JSON of a command/);
  assert.match(text('{"do": "viwe"}').error, /there is no verb 'viwe' \(did you mean 'view'\?\)/);
});

test("room that nobody has", () => {
  for (const bytes of [2 ** 25, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) assert.equal(exports.sarai_room(bytes), 0);
  assert.throws(() => engine.ask({ do: "make", game: "x".repeat(2 ** 25) }), /too long; give less at a time/);
  assert.match(text('{"do": "catalogue"}').games[0].title, /\w/);
});

test("calls without a request", () => {
  exports.sarai_call();
  exports.sarai_call();
  assert.ok(exports.sarai_answer() > 0);
});

const held = [0, -1, 1.5, 2 ** 60, 1e300, "1", null, [], {}, true];
const names = ["", "x".repeat(1e6), "Sho", "шо", "\u0000", 3, [], {}];

test("fields that do not fit", () => {
  const before = state.view();
  const verbs = ["analyse", "choose", "copy", "legal", "observe", "perft", "play", "roll", "save", "steps", "view"];
  for (const verb of verbs) {
    for (const number of [...held, game.held]) assert.throws(() => engine.ask({ do: verb, state: number }), EngineError);
    assert.throws(() => engine.ask({ do: verb, state: state.held, surprise: 1 }), /takes nothing as 'surprise'|needs|names|no player|takes the number/);
  }
  for (const name of names) {
    assert.throws(() => engine.make(name), EngineError);
    assert.throws(() => engine.make("sho", { preset: name }), EngineError);
    assert.throws(() => engine.load(name), EngineError);
    assert.throws(() => game.start({ position: name }), EngineError);
    assert.throws(() => other.choose(name), EngineError);
    assert.throws(() => other.analyse(name), EngineError);
    if (name !== 3) assert.throws(() => game.start({ seed: name }), EngineError);
    assert.throws(() => state.record({ form: name }), EngineError);
  }
  for (const rules of [[], 3, "x", { players: 5 }, { players: "2" }, { nobody: 1 }, { stake: 1e999 }, { players: {} }]) {
    assert.throws(() => engine.make("sho", { rules }), EngineError);
  }
  for (const seed of [-1, 1.5, 2 ** 64, "18446744073709551616", "+1", " 1", "0x1", "-0"]) {
    assert.throws(() => game.start({ seed }), EngineError, String(seed));
  }
  for (const agents of [[], ["a"], "greedy", [1, 2, 3], Array(4).fill("x".repeat(2000))]) {
    assert.throws(() => state.record({ agents }), EngineError);
  }
  assert.throws(() => state.perft(101), /it takes 0 to 100/);
  assert.throws(() => state.observe(9), /viewer got 9; it takes 0 to/);
  assert.throws(() => state.copy(1), /the game has no step 1 yet; 'at' takes 0 to 0/);
  assert.deepEqual(state.view(), before);
});

test("steps that are not legal change nothing", () => {
  for (const each of [state, other]) {
    const before = each.view();
    for (const action of [-1, 191, 192, 65_536, 2 ** 53, 1e300, 1.5, "", "z9", null, [], true]) {
      assert.throws(() => each.play(action), EngineError, String(action));
    }
    assert.deepEqual(each.view(), before);
  }
  assert.throws(() => state.choose("greedy"), /no player acts here/);
  assert.throws(() => state.analyse("greedy"), /no player acts here/);
});

test("agents that do not play here say so", () => {
  for (const agent of ["net:x", "perfect", "perfect:/etc", "mcts:5,net=/etc/passwd", "alphabeta:4,tables=x", "clever",
    "mcts:0", "mcts:99999999999", "expectimax:9", "alphabeta:200", `mixture:${"greedy=1+".repeat(50)}`]) {
    assert.throws(() => other.choose(agent), EngineError, agent);
  }
  assert.throws(() => game.admit("alphabeta:4"), /only plays two-player games without dice/);
});

test("what was freed is gone, and what is held is bounded", async () => {
  const own = await load(bytes);
  const book = own.make("shah");
  const one = book.start();
  const { held } = one;
  one.free();
  one.free();
  assert.throws(() => own.ask({ do: "view", state: held }), /was freed/);
  const all = [];
  assert.throws(() => { for (;;) all.push(book.start()); }, /held already: free some first/);
  assert.ok(all.length > 1000);
  for (const each of all) each.free();
  assert.ok(book.start().view().length === 0);
});

test("no search is too large to be refused or done", async () => {
  const own = await load(bytes);
  const state = own.make("shah").start();
  // A table of 65 GB.
  try {
    state.choose("alphabeta:2,table_mb=65000");
  } catch (error) {
    assert.ok(error instanceof EngineError);
    assert.doesNotMatch(error.message, /has stopped/);
  }
  assert.equal(state.view().length, 0);
});

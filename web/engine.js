// The engine of Sarai as an ES module, for browsers and for Node, without dependencies: a thin face on the functions that
// sarai.wasm exports. engine.d.ts has the types; `make wasm` builds the engine.

/** What could not be done, as a sentence: what was given, what is allowed, what to do. */
export class EngineError extends Error {
  name = "EngineError";
}

const isModule = (source) => source instanceof WebAssembly.Module;
const isBytes = (source) => source instanceof ArrayBuffer || ArrayBuffer.isView(source);

/**
 * Load the engine.
 * @param {BufferSource | WebAssembly.Module | Response | URL | string} source its bytes, or where they are
 * @returns {Promise<Engine>}
 */
export async function load(source) {
  let module = source;
  if (!isModule(source)) {
    let bytes = source;
    if (!isBytes(source)) {
      const answer = source instanceof Response ? source : await fetch(source);
      if (!answer.ok) throw new EngineError(`the engine could not be loaded from ${answer.url}: ${answer.status}`);
      bytes = await answer.arrayBuffer();
    }
    module = await WebAssembly.compile(bytes);
  }
  return new Engine(module, await WebAssembly.instantiate(module, {}));
}

/** The engine: games by their names. */
export class Engine {
  #exports;
  #stopped = false;
  #freed = new FinalizationRegistry((held) => this.#forget(held));

  /** Use `load`. */
  constructor(module, instance) {
    /** The compiled module, which may be posted to a worker. */
    this.module = module;
    this.#exports = instance.exports;
  }

  /**
   * Ask for something with a plain object, as the methods below do.
   * @throws {EngineError} where it cannot be done; nothing has changed
   */
  ask(request) {
    if (this.#stopped) throw new EngineError("the engine has stopped after an error: load it again");
    const { sarai_room, sarai_call, sarai_answer, memory } = this.#exports;
    let told;
    try {
      const bytes = new TextEncoder().encode(JSON.stringify(request, plain));
      const room = sarai_room(bytes.length) >>> 0;
      if (!room) throw new EngineError(`a request of ${bytes.length} bytes is too long; give less at a time`);
      new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
      const length = sarai_call() >>> 0;
      told = new TextDecoder().decode(new Uint8Array(memory.buffer, sarai_answer() >>> 0, length));
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#stopped = true;
      throw new EngineError(`the engine has stopped, probably for want of memory (${error.message}): load it again`);
    }
    const answer = JSON.parse(told);
    if (answer.error !== undefined) throw new EngineError(answer.error);
    return answer;
  }

  /** Every game, with its presets, options and agents. */
  catalogue() {
    return this.ask({ do: "catalogue" }).games;
  }

  /** A game under rules: a preset, and options on top of it. */
  make(name, { preset = null, rules = {} } = {}) {
    return this.hold(new Game(this, this.ask({ do: "make", game: name, preset, rules })));
  }

  /** The game of a record in either form, after its last step. */
  load(record) {
    const told = this.ask({ do: "load", record });
    const game = this.hold(new Game(this, told));
    const { seed, number, agents } = told;
    return { game, state: this.hold(new State(this, game, told.state)), seed, number, agents };
  }

  /** A game that people play: every session of Sarai, in Python or here, is this one. `entropy` gives games their seeds. */
  session({ game = null, preset = null, theme = "light", entropy = 0 } = {}) {
    return this.hold(new Session(this, this.ask({ do: "session", game, preset, theme, entropy }).session));
  }

  /** Have something freed when JavaScript forgets it. */
  hold(thing) {
    this.#freed.register(thing, thing.held, thing);
    return thing;
  }

  /** Free something now. */
  free(thing) {
    if (thing.held === null) return;
    this.#freed.unregister(thing);
    this.#forget(thing.held);
    thing.held = null;
  }

  #forget(held) {
    if (!this.#stopped) this.ask({ do: "free", held });
  }
}

/** Numbers of 64 bits travel as text. */
const plain = (_, value) => (typeof value === "bigint" ? String(value) : value);

/** A rule book: `engine.make`. */
export class Game {
  constructor(engine, told) {
    this.engine = engine;
    this.held = told.game;
    this.name = told.name;
    this.rules = told.rules;
    this.numPlayers = told.num_players;
    this.numActions = told.num_actions;
    this.sides = told.sides;
  }

  /**
   * Refuse an agent that does not play this game.
   * @throws {EngineError} it does not, and why
   */
  admit(agent) {
    this.engine.ask({ do: "plays", game: this.held, agent });
  }

  /** A game under way: game `number` of a seed, from the start or from a position that is given as text. */
  start({ seed = 0, number = 0, position = null } = {}) {
    const { state } = this.engine.ask({ do: "start", game: this.held, seed, number, position });
    return this.engine.hold(new State(this.engine, this, state));
  }

  /** Free it now rather than when it is forgotten. */
  free() {
    this.engine.free(this);
  }
}

/** A game under way. */
export class State {
  constructor(engine, game, held) {
    this.engine = engine;
    this.game = game;
    this.held = held;
  }

  #ask(verb, fields = {}) {
    return this.engine.ask({ do: verb, state: this.held, ...fields });
  }

  /** The position as data and as text, whose turn it is, and the result. */
  view() {
    return this.#ask("view");
  }

  /** What a board in a page needs: the picture, its places, and the legal moves. */
  scene({ theme = "light", last = null } = {}) {
    return this.#ask("scene", { theme, last });
  }

  /** The legal moves, or the outcomes where chance decides. */
  legal() {
    return this.#ask("legal");
  }

  /** What a player sees, as numbers. */
  observe(viewer) {
    return this.#ask("observe", { viewer }).cells;
  }

  /** Play a move, or an outcome of chance, by its number or its name. */
  play(action) {
    return this.#ask("play", { action });
  }

  /** Let chance decide by the dice of the game's seed, until a player is to act or the game is over. */
  roll() {
    return this.#ask("roll").rolled;
  }

  /** What an agent chooses: by the seat's stream of the game's seed, or as the first choice of another seed. */
  choose(agent, { seed = null } = {}) {
    return this.#ask("choose", { agent, seed });
  }

  /** What an agent thinks of every legal move. */
  analyse(agent, { seed = 0 } = {}) {
    return this.#ask("analyse", { agent, seed });
  }

  /** Every step so far: who (-1 is chance), its number, and its name. */
  steps() {
    return this.#ask("steps").steps;
  }

  /** The same game once more, or as it was after so many steps. */
  copy(at = null) {
    return this.engine.hold(new State(this.engine, this.game, this.#ask("copy", { at }).state));
  }

  /** The game so far as a record, as the Python package writes it. */
  record({ form = "text", agents = null, seed = null, number = true } = {}) {
    return this.#ask("save", { form, agents, seed, number: number ? null : false }).record;
  }

  /** How many ways there are to play so many steps more. */
  perft(depth) {
    return this.#ask("perft", { depth }).count;
  }

  /** Free it now rather than when it is forgotten. */
  free() {
    this.engine.free(this);
  }
}

/** A game that people play, by the commands of docs/play.md. */
export class Session {
  #version = 0;

  constructor(engine, held) {
    this.engine = engine;
    this.held = held;
  }

  #ask(verb, fields = {}) {
    return this.engine.ask({ do: verb, session: this.held, ...fields });
  }

  /** Carry out a command: its answer, and whether anything has changed. */
  send(command) {
    const { answer, version } = this.#ask("command", { command });
    const changed = version !== this.#version;
    this.#version = version;
    return { answer, changed };
  }

  /** What somebody has to think about: a request for any engine, under a number; null while it is a person's turn. */
  job() {
    return this.#ask("job");
  }

  /** Tell what came of a job, as `{ found }`, or why nothing did, as `{ failed }`. */
  found(job, told) {
    const answer = this.#ask("found", { job, ...told });
    this.#version = answer.snapshot.version;
    return answer;
  }

  /** Free it now rather than when it is forgotten. */
  free() {
    this.engine.free(this);
  }
}

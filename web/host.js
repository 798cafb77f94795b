// The host of a board whose games are played in the page itself: commands in, snapshots out, as python/sarai/web/session.py
// does it for the pages that Python serves. Chance and agents go on by themselves until it is a person's turn.

import { Refused, read } from "./commands.js";
import { Course, PERSON, personsOf } from "./course.js";
import { EngineError } from "./engine.js";
import { Stopped } from "./thinking.js";

/** Who gives hints and analyses. */
const ADVISER = "mcts:1000,evaluator=heuristic";

/** How many steps a snapshot tells in words. */
const LOGGED = 40;

/** Agents that take neither long nor much memory. */
const HARMLESS = /^(random|greedy|mcts:[0-9]{1,4}(,evaluator=heuristic)?|expectimax:[12]|alphabeta:[1-8])$/;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const drawn = () => crypto.getRandomValues(new Uint32Array(1))[0];

export class Host {
  #engine;
  #thinker;
  #pace;
  #theme;
  #version = 0;
  #snapshot = null;
  #listeners = [];
  #course;
  #at = 0;
  #thinking = null;
  #isAdvice = false;
  #paused = false;
  #job = 0;
  #hint = null;
  #analysis = null;
  #analysedBy = null;
  #trouble = null;

  /** `thinker` has `ask(job)` and `stop()`, as a `Thinker`; `pace` is how long a step of others is seen, in milliseconds. */
  constructor(engine, thinker, { pace = 400, theme = "light", game = null, preset = null } = {}) {
    this.#engine = engine;
    this.#thinker = thinker;
    this.#pace = pace;
    this.#theme = theme;
    const made = engine.make(game ?? engine.catalogue()[0].name, { preset });
    this.#takeUp(new Course(made, this.#seated(made), drawn()));
  }

  /** Tell this function of every snapshot that comes by itself. */
  onchange(callback) {
    this.#listeners.push(callback);
  }

  /** Carry out a command; where that cannot be done nothing changes, and "error" says why. */
  async send(command) {
    try {
      const { verb, fields } = read(command);
      const answer = this.#commands[verb](fields);
      if (answer) return { error: null, ...answer };
    } catch (error) {
      if (!(error instanceof Refused || error instanceof EngineError)) throw error;
      return { ...this.#shown(), error: error.message };
    }
    this.#tell();
    return this.#shown();
  }

  // What the commands do. Each changes nothing before it knows that it can.

  #commands = {
    new: ({ game, preset, rules, seats, seed }) => {
      const made = this.#engine.make(game, { preset, rules });
      this.#takeUp(new Course(made, this.#seated(made, seats), seed ?? drawn()));
    },
    play: ({ action, seat, at }) => {
      const course = this.#course;
      const length = course.steps.length;
      if (this.#at !== length) {
        throw new Refused(`you are looking at step ${this.#at} of ${length}: go to the last one to play, or play on from here`);
      }
      if ((at ?? length) !== length) {
        throw new Refused("the game has gone on meanwhile: look at the board and choose again");
      }
      if (course.isOver) throw new Refused("the game is over: take a move back, or begin a new game");
      if (!course.isPersons || (seat ?? course.player) !== course.player) {
        const turn = course.player === null ? "chance decides now" : `it is the turn of ${course.who(course.player)}`;
        throw new Refused(`${turn}: wait for your own turn`);
      }
      course.take(action);
      this.#halt();
      this.#at = course.steps.length;
      this.#changed();
      this.#goOn();
    },
    undo: () => {
      const back = this.#course.lastOfAPerson();
      if (back < 0) throw new Refused("there is no move of yours to take back");
      this.#halt();
      this.#course.backTo(back);
      this.#at = back;
      this.#changed();
    },
    hint: () => this.#advise(ADVISER, (told) => (this.#hint = told.best)),
    analyse: ({ agent = ADVISER }) => {
      this.#check(this.#course.game, agent);
      this.#advise(agent, (told) => ([this.#analysis, this.#analysedBy] = [lines(told), agent]));
    },
    go: ({ to }) => {
      const length = this.#course.steps.length;
      if (to > length) throw new Refused(`the game has no step ${to} yet; go to 0 to ${length}`);
      if (to !== this.#at && this.#isAdvice) this.#halt();
      this.#at = to;
      this.#changed();
      if (to === length && this.#thinking === null) this.#goOn();
    },
    branch: () => {
      if (this.#at === this.#course.steps.length) throw new Refused("this is the last position already: just play on");
      this.#halt();
      this.#course.backTo(this.#at);
      this.#changed();
      this.#goOn();
    },
    load: ({ record }) => {
      const told = this.#engine.load(record);
      const seats = personsOf(told).map((seat) => (this.#mayplay(told.game, seat) ? seat : PERSON));
      const course = Course.fromRecord(told, seats, told.seed ?? drawn());
      // A game that is over is looked at from its beginning, one that is not goes on where it was left.
      this.#takeUp(course, course.isOver ? 0 : null);
    },
    position: ({ text }) => {
      const { game, seats, seed } = this.#course;
      this.#takeUp(new Course(game, seats, seed, { start: text.trim() }));
    },
    save: ({ format = "json" }) => ({ record: this.#course.record(format) }),
    theme: ({ theme }) => {
      this.#theme = theme;
      this.#version += 1;
    },
    stop: () => {
      this.#halt();
      this.#paused = !(this.#course.isPersons || this.#course.isOver);
    },
    catalogue: () => ({ games: this.#engine.catalogue() }),
    check: ({ game, preset, rules }) => {
      const { rules: all, numPlayers, sides } = this.#engine.make(game, { preset, rules });
      return { rules: all, num_players: numPlayers, sides };
    },
  };

  // The game and what is shown of it.

  #takeUp(course, at = null) {
    this.#halt();
    this.#course = course;
    this.#at = at ?? course.steps.length;
    this.#changed();
    if (at === null) this.#goOn();
  }

  /** After a change what was said of the position before no longer holds. */
  #changed() {
    this.#version += 1;
    this.#hint = this.#analysis = this.#analysedBy = this.#trouble = null;
  }

  #tell() {
    for (const each of this.#listeners) each(this.#shown());
  }

  #shown() {
    if (this.#snapshot?.version !== this.#version) this.#snapshot = this.#drawn();
    return this.#snapshot;
  }

  #drawn() {
    const [course, at] = [this.#course, this.#at];
    const length = course.steps.length;
    const state = course.at(at);
    const last = course.lastChoice(at);
    const latest = at ? course.steps[at - 1] : null;
    return {
      ...state.scene({ theme: this.#theme, last: last && { player: last.player, name: last.name } }),
      result: at === length ? course.result() : null,
      theme: this.#theme,
      seats: course.seats,
      seed: course.seed,
      mine: course.isPersons && at === length,
      thinking: this.#thinking,
      paused: this.#paused,
      at,
      length,
      last: latest && { seat: latest.player, name: latest.name, words: latest.words },
      log: course.log(LOGGED),
      analysis: this.#analysis,
      analysed_by: this.#analysedBy,
      hint: this.#hint,
      position: state.view().position,
      version: this.#version,
      error: this.#trouble,
    };
  }

  // Who has a seat.

  #seated(game, seats = null) {
    if (seats === null) return [PERSON, ...Array(game.numPlayers - 1).fill("greedy")];
    if (seats.length !== game.numPlayers) {
      throw new Refused(`seats takes one name for each of the ${game.numPlayers} seats of this game, not ${seats.length}`);
    }
    for (const seat of seats) if (seat !== PERSON) this.#check(game, seat);
    return seats;
  }

  #check(game, agent) {
    if (!HARMLESS.test(agent)) {
      throw new Refused(
        `agent "${agent.slice(0, 80)}" cannot play here: choose greedy, random, mcts:N with N up to 9999, expectimax:1 or ` +
          "expectimax:2, or alphabeta:N with N up to 8");
    }
    game.admit(agent);
  }

  #mayplay(game, seat) {
    try {
      if (seat !== PERSON) this.#check(game, seat);
      return true;
    } catch (error) {
      if (error instanceof Refused || error instanceof EngineError) return false;
      throw error;
    }
  }

  // What goes on beside the page.

  /** Call off whoever thinks; what is found all the same is thrown away. */
  #halt() {
    this.#job += 1;
    this.#thinker.stop();
    this.#thinking = null;
    this.#isAdvice = this.#paused = false;
    this.#version += 1;
  }

  /** Let chance and agents play until it is a person's turn. */
  #goOn() {
    this.#paused = false;
    if (!this.#course.isOver && !this.#course.isPersons) this.#begin(() => this.#advance(this.#job));
  }

  #begin(work) {
    const job = (this.#job += 1);
    this.#thinking = this.#course.player ?? 0;
    this.#version += 1;
    work().catch((error) => {
      if (error instanceof Stopped || job !== this.#job) return;
      this.#halt();
      this.#paused = true;
      this.#trouble = error.message;
      this.#tell();
    });
  }

  #ask(what, state, agent, number) {
    const { game, seed } = this.#course;
    const { position } = state.view();
    return this.#thinker.ask({ what, game: game.name, rules: game.rules, position, agent, seed, number });
  }

  /** Step by step until it is a person's turn. */
  async #advance(job) {
    const course = this.#course;
    for (;;) {
      const number = course.steps.length;
      const agent = course.player === null ? null : course.seats[course.player];
      const chosen = agent === null
        ? course.state.next({ seed: course.seed, number })
        : await this.#ask("next", course.state, agent, number);
      if (job !== this.#job) return;
      const follows = this.#at === number;
      course.take(chosen.action);
      if (follows) this.#at = course.steps.length;
      this.#changed();
      const waits = course.isOver || course.isPersons;
      this.#thinking = waits ? null : (course.player ?? 0);
      // Whoever has sent the command hears of its own step before what follows.
      await null;
      this.#tell();
      if (waits) return;
      await wait(this.#pace);
      if (job !== this.#job) return;
    }
  }

  /** Analyse the position that is shown. */
  #advise(agent, found) {
    if (this.#thinking !== null && !this.#isAdvice) {
      throw new Refused("somebody is thinking: wait for your turn, or stop it first");
    }
    const state = this.#course.at(this.#at);
    const { player, over } = state.view();
    if (player === null) {
      throw new Refused(`${over ? "the game is over" : "chance decides here"}, so there is nothing to choose`);
    }
    this.#begin(async () => {
      const job = this.#job;
      const told = await this.#ask("analyse", state, agent, 0);
      if (job !== this.#job) return;
      this.#thinking = null;
      this.#isAdvice = false;
      this.#version += 1;
      found(told);
      this.#tell();
    });
    this.#thinking = player;
    this.#isAdvice = true;
  }
}

/** The moves of an analysis, the best first: a quick win before a slow one, and a slow loss before a quick one. */
function lines({ best, lines: all }) {
  const value = (line) => line.value ?? -Infinity;
  const turns = (line) => (line.turns === null ? 0 : value(line) > 0 ? line.turns : -line.turns);
  const order = (a, b) =>
    (b.action === best) - (a.action === best) || b.visits - a.visits || value(b) - value(a) || turns(a) - turns(b) ||
    a.action - b.action;
  return [...all].sort(order).map(({ action, name, value, visits, probability, names, proven, turns }) =>
    ({ action, name, value, visits, probability, line: names.slice(0, 8), proven, turns }));
}

// A game under way on a board: its steps, the way back, and the words for what happened. It is what
// python/sarai/web/course.py is for the pages that Python serves, and tells the same.

import { Refused } from "./commands.js";

/** Who has a seat that a person plays. */
export const PERSON = "person";

/** How records call a person. */
const IN_RECORDS = "human";

const MOST_STEPS = 20_000;

export class Course {
  /** Begin a game, from a position where one is given as text. */
  constructor(game, seats, seed, { start = null, state = null } = {}) {
    this.game = game;
    this.seats = seats;
    this.seed = String(seed);
    this.state = state ?? game.start({ position: start });
    this.start = start;
    this.steps = [];
    this.look();
  }

  /** The game of a record, with these players; `load` is what the engine told of it. */
  static fromRecord({ game, state }, seats, seed) {
    const steps = state.steps();
    if (steps.length > MOST_STEPS) {
      throw new Refused(`the record has ${steps.length} steps; a board takes at most ${MOST_STEPS}`);
    }
    const course = new Course(game, seats, seed, { state: state.copy(0) });
    for (const { id } of steps) course.take(id);
    return course;
  }

  /** What is asked of the last position again and again. */
  look() {
    this.view = this.state.view();
  }

  take(id) {
    if (this.steps.length === MOST_STEPS) {
      throw new Refused(`a game on a board has at most ${MOST_STEPS} steps: begin a new one`);
    }
    const { player, name } = this.state.play(id);
    const thrower = this.view.view.state.player ?? null;
    let words = thrower === null ? `drawn: ${name}` : `${this.who(thrower)} throws ${name}`;
    if (player >= 0) words = `${this.who(player)} plays ${name}`;
    this.steps.push({ player, id, name, words });
    this.look();
  }

  /** How a player is called in words. */
  who(player) {
    const seat = this.seats[player];
    return seat === PERSON ? `player ${player}` : `player ${player} (${seat})`;
  }

  get player() {
    return this.view.player;
  }

  get isOver() {
    return this.view.over;
  }

  /** Whether a person is to choose. */
  get isPersons() {
    return this.player !== null && this.seats[this.player] === PERSON;
  }

  /** The position after so many steps; a copy, unless it is the last. */
  at(place) {
    return place === this.steps.length ? this.state : this.state.copy(place);
  }

  /** The latest of the first so many steps that a player chose. */
  lastChoice(place) {
    return this.steps.slice(0, place).findLast((step) => step.player >= 0) ?? null;
  }

  /** Take back all but so many steps. */
  backTo(place) {
    this.state = this.at(place);
    this.steps.length = place;
    this.look();
  }

  /** Where the latest choice of a person stands among the steps, below 0 where there is none. */
  lastOfAPerson() {
    return this.steps.findLastIndex(({ player }) => player >= 0 && this.seats[player] === PERSON);
  }

  record(form) {
    const agents = this.seats.map((seat) => (seat === PERSON ? IN_RECORDS : seat));
    return this.state.record({ form, agents, seed: this.seed, number: false });
  }

  /** Who has won what; null while the game goes on. */
  result() {
    const { returns } = this.view;
    if (returns === null) return null;
    if (!returns.some(Boolean)) return "The game is a draw.";
    const told = returns.map((value, player) => `${this.who(player)} ${value > 0 ? "wins" : "loses"} ${Math.abs(value)}`);
    return `The game is over: ${told.join(", ")}.`;
  }

  /** The latest steps in words, with how many steps there were after each. */
  log(most) {
    const first = Math.max(0, this.steps.length - most);
    return this.steps.slice(first).map(({ player, name, words }, i) => ({ at: first + i + 1, seat: player, name, words }));
  }
}

/** Who has each seat in a record, by the words of a board. */
export const personsOf = ({ game, agents }) =>
  (agents ?? Array(game.numPlayers).fill(PERSON)).map((label) => (label === IN_RECORDS ? PERSON : label));

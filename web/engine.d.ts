/** The engine of Sarai for browsers and Node. */

/** A seed or the number of a game: 0 to 2^64 - 1. A number holds it exactly up to 2^53. */
export type Whole = number | bigint | string;

/** A value of an option. */
export type OptionValue = boolean | number | string;

export type Rules = Record<string, OptionValue>;

/** What values an option takes. */
export type Range =
  | { kind: "flag" }
  | { kind: "integer" | "number"; min: number; max: number }
  | { kind: "one_of"; values: number[] }
  | { kind: "word"; values: string[] }
  | { kind: "first_player" };

export interface CatalogueEntry {
  name: string;
  title: string;
  num_actions: number;
  /** `players` are the names of the seats: the colours of their pieces. */
  presets: { name: string; meaning: string; rules: Rules; players: string[] }[];
  options: { name: string; takes: string; range: Range; default: OptionValue; meaning: string }[];
  /** Agents that play the game under its default rules; any other that reads no file plays too. */
  agents: string[];
  /** Three of them: easy, medium and strong. */
  levels: { name: string; agent: string }[];
}

/** What could not be done, as a sentence. */
export class EngineError extends Error {}

/** Load the engine from its bytes, from a module that was compiled before, or from where they are. */
export function load(source: BufferSource | WebAssembly.Module | Response | URL | string): Promise<Engine>;

export class Engine {
  private constructor();
  /** The compiled module, which may be posted to a worker. */
  readonly module: WebAssembly.Module;
  catalogue(): CatalogueEntry[];
  /** @throws {EngineError} There is no such game, preset or option, or the options contradict each other. */
  make(name: string, options?: { preset?: string | null; rules?: Rules }): Game;
  /** @throws {EngineError} The text is no record, or the rules contradict it; with the line. */
  load(record: string): {
    game: Game;
    state: State;
    seed: string | null;
    number: string | null;
    agents: string[] | null;
  };
  /** A game that people play. `entropy` gives games their seeds. */
  session(options?: { game?: string | null; preset?: string | null; theme?: "light" | "dark"; entropy?: Whole }): Session;
  /** Ask with a plain object, as the methods do. */
  ask(request: { do: string; [field: string]: unknown }): Record<string, unknown>;
}

export class Game {
  private constructor();
  readonly name: string;
  /** Every option with its value. */
  readonly rules: Rules;
  readonly numPlayers: number;
  readonly numActions: number;
  /** The side of each seat: seats on the same side win together. */
  readonly sides: number[];
  /** @throws {EngineError} The agent does not play this game. */
  admit(agent: string): void;
  /** @throws {EngineError} The position is not one of this game. */
  start(options?: { seed?: Whole; number?: Whole; position?: string | null }): State;
  free(): void;
}

/** A step that was taken: by a seat, or by chance (-1). */
export interface Step {
  player: number;
  id: number;
  name: string;
}

export interface View {
  view: { game: string; rules: Rules; num_players: number; sides: number[]; state: Record<string, unknown> };
  /** The position as a line of text, which `start` reads. */
  position: string;
  /** Whose turn it is; null where chance decides, and when the game is over. */
  player: number | null;
  chance: boolean;
  over: boolean;
  returns: number[] | null;
  winner: number | null;
  turns: number;
  /** How many steps were taken. */
  length: number;
}

/** What a board needs. */
export interface Scene {
  game: string;
  preset: string | null;
  rules: Rules;
  svg: string;
  width: number;
  height: number;
  headline: string;
  description: string;
  player: number | null;
  num_players: number;
  over: boolean;
  result: string | null;
  points: { name: string; x: number; y: number; r: number; words: string }[];
  moves: { action: number; name: string; words: string; places: number[] }[];
}

export interface Choice {
  action: number;
  name: string;
}

export interface Analysis {
  player: number;
  best: number | null;
  values: number[] | null;
  depth: number;
  work: number;
  lines: {
    action: number;
    name: string;
    value: number | null;
    visits: number;
    probability: number;
    kind: "exact" | "bound" | "judged";
    turns: number | null;
    actions: number[];
    names: string[];
  }[];
}

/** A game under way. Whatever is refused throws an EngineError and changes nothing. */
export class State {
  private constructor();
  readonly game: Game;
  view(): View;
  scene(options?: { theme?: "light" | "dark"; last?: { player: number; name: string } | null }): Scene;
  legal(): { moves: Choice[]; outcomes: { outcome: number; name: string; probability: number }[] };
  observe(viewer: number): number[];
  play(action: number | string): Step;
  roll(): Step[];
  choose(agent: string, options?: { seed?: Whole | null }): Choice;
  analyse(agent: string, options?: { seed?: Whole }): Analysis;
  steps(): Step[];
  copy(at?: number | null): State;
  record(options?: { form?: "text" | "json"; agents?: string[] | null; seed?: Whole | null; number?: boolean }): string;
  perft(depth: number): number;
  free(): void;
}

/** A game that people play, by the commands of docs/play.md, which answer with what is shown. */
export class Session {
  private constructor();
  send(command: { do: string; [field: string]: unknown }): { answer: Record<string, unknown>; changed: boolean };
  /** `task` is a request for `ask` of any engine; its answer is what was found. */
  job(): { job: number | null; task?: { do: string; [field: string]: unknown } };
  found(
    job: number,
    told: { found: Record<string, unknown> } | { failed: string },
  ): { changed: boolean; snapshot: Record<string, unknown> };
  free(): void;
}

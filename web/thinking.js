// Agents that think beside whoever waits for them, so that the page stays alive, and can be called off.

import { EngineError } from "./engine.js";

/** The job was called off. */
export class Stopped extends Error {
  name = "Stopped";
}

/** Do a job: "next" for a step, "analyse" for what an agent thinks of every move, where the game stands. */
export function think(engine, { what, game, rules, position, agent, seed = 0, number = 0 }) {
  const book = engine.make(game, { rules });
  const state = book.start({ position });
  try {
    return what === "analyse" ? state.analyse(agent, { seed }) : state.next({ agent, seed, number });
  } finally {
    state.free();
    book.free();
  }
}

/** Jobs in a worker, one at a time. A worker that is called off ends, and the next job gets a new one. */
export class Thinker {
  #make;
  #module;
  #worker = null;
  #current = null;

  /** `make()` gives a Worker that runs worker.js; `engine` is one that the worker is to have as well. */
  constructor(make, engine) {
    this.#make = make;
    this.#module = engine.module;
  }

  /** The answer to a job. */
  ask(job) {
    this.stop();
    return new Promise((done, failed) => {
      this.#current = { done, failed };
      this.#worker ??= this.#begin();
      this.#worker.postMessage({ job });
    });
  }

  /** Call off what is being done. */
  stop() {
    if (!this.#current) return;
    const { failed } = this.#current;
    this.#end();
    failed(new Stopped());
  }

  #begin() {
    const worker = this.#make();
    worker.onmessage = ({ data: { answer, error } }) => {
      // What was on its way when it was called off.
      if (worker !== this.#worker || !this.#current) return;
      const { done, failed } = this.#current;
      this.#current = null;
      if (error === undefined) done(answer);
      else failed(new EngineError(error));
    };
    worker.onerror = (event) => {
      const { failed } = this.#current ?? {};
      this.#end();
      failed?.(new EngineError(`agents cannot think in this page: ${event.message ?? "the worker did not start"}`));
    };
    worker.postMessage({ module: this.#module });
    return worker;
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = this.#current = null;
  }
}

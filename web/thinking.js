// Agents that think beside whoever waits for them, so that the page stays alive, and can be called off.

import { EngineError } from "./engine.js";

/** The task was called off. */
export class Stopped extends Error {
  name = "Stopped";
}

/** Tasks in a worker, one at a time. A worker that is called off ends, and the next task gets a new one. */
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

  /** What came of a task. */
  ask(task) {
    this.stop();
    return new Promise((done, failed) => {
      this.#current = { done, failed };
      this.#worker ??= this.#begin();
      this.#worker.postMessage({ task });
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

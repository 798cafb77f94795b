// The host of a board whose games are played in the page itself: the engine's session, and the worker in which agents think
// for it, as python/sarai/_web/session.py has them for the pages that Python serves.

import { Stopped } from "./thinking.js";

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export class Host {
  #engine;
  #session;
  #thinker;
  #pace;
  #texts;
  #listeners = [];
  #job = null;

  /** `thinker` has `ask(task)` and `stop()`, as a `Thinker`; `pace` is how long a step of others is seen, in
   * milliseconds; `texts(game)` promises the answer to the command "rules", which the engine of a page does not know.
   */
  constructor(engine, thinker, { pace = 400, texts = null, theme = "light", game = null, preset = null } = {}) {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    this.#engine = engine;
    this.#session = engine.session({ game, preset, theme, entropy: (BigInt(high) << 32n) | BigInt(low) });
    this.#thinker = thinker;
    this.#pace = pace;
    this.#texts = texts;
    this.#think();
  }

  /** Tell this function of every snapshot that comes by itself. */
  onchange(callback) {
    this.#listeners.push(callback);
  }

  /** Carry out a command; where that cannot be done nothing changes, and "error" says why. */
  async send(command) {
    if (command?.do === "rules" && this.#texts) return this.#texts(command.game);
    const { answer, changed } = this.#session.send(command);
    // The first command of a session counts as a change, whatever it asks for; only a snapshot is shown.
    if (changed && answer.svg) {
      this.#tell(answer);
      this.#think();
    }
    return answer;
  }

  #tell(snapshot) {
    for (const each of this.#listeners) each(snapshot);
  }

  /** Have one job done after the other, as long as it is not a person's turn. */
  async #think(pace = 0) {
    const { job, task } = this.#session.job();
    if (job === this.#job) return;
    if (this.#job !== null) this.#thinker.stop();
    this.#job = job;
    if (job === null) return;
    const isOff = () => this.#job !== job;
    if (pace) await wait(pace);
    if (isOff()) return;
    let told;
    try {
      // Dice fall at once.
      told = { found: await (task.agent === null ? this.#engine : this.#thinker).ask(task) };
    } catch (error) {
      if (error instanceof Stopped) return;
      told = { failed: error.message };
    }
    if (isOff()) return;
    this.#job = null;
    const { changed, snapshot } = this.#session.found(job, told);
    if (changed) this.#tell(snapshot);
    await this.#think(this.#pace);
  }
}

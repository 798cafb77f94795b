// What runs in the worker of a page: its own engine, and one task after the other.

import { load } from "./engine.js";

let engine = null;

onmessage = async ({ data: { module, task } }) => {
  if (module) {
    engine = load(module);
    return;
  }
  try {
    postMessage({ answer: (await engine).ask(task) });
  } catch (error) {
    // A search may have taken all the memory that there is: the next one begins with an engine of its own.
    engine = load((await engine).module);
    postMessage({ error: error.message });
  }
};

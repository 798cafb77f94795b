// What runs in the worker of a page: its own engine, and one job after the other.

import { load } from "./engine.js";
import { think } from "./thinking.js";

let engine = null;

onmessage = async ({ data: { module, job } }) => {
  if (module) {
    engine = load(module);
    return;
  }
  try {
    postMessage({ answer: think(await engine, job) });
  } catch (error) {
    // A search may have taken all the memory that there is: the next one begins with an engine of its own.
    engine = load((await engine).module);
    postMessage({ error: error.message });
  }
};

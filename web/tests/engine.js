// What the tests of the engine share: the engine that `make wasm` built, and the files of the native tests.
import { readFileSync, readdirSync } from "node:fs";
import { load } from "../engine.js";

const at = (path) => new URL(path, import.meta.url);

export const WASM = at("../dist/sarai.wasm");
export const bytes = readFileSync(WASM);
export const engine = await load(bytes);

/** The files of a folder of the repository's tests with this ending, as [name, text]. */
export function files(folder, ending) {
  const root = at(`../../tests/${folder}/`);
  const names = readdirSync(root).filter((name) => name.endsWith(ending)).sort();
  if (!names.length) throw new Error(`tests/${folder} has no file that ends with ${ending}`);
  return names.map((name) => [name, readFileSync(new URL(name, root), "utf8")]);
}

/** A sum over numbers that depends on every one and its place, in 32 bits, as the native tests have it. */
export const sum = (numbers) => numbers.reduce((sum, each) => (Math.imul(sum, 31) + each) >>> 0, 0);

export const hex = (number) => number.toString(16).padStart(8, "0");

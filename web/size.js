// How large what a page loads is: `node size.js`, after `make wasm`.
import { readFileSync, readdirSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const DIST = new URL("dist/", import.meta.url);

/** The most that all of it may have, in bytes, compressed with gzip: every server can do that. */
export const MOST = 300_000;

/** What a page loads by itself; the rules of a game are loaded when somebody opens them. */
const LOADED = /\.(css|html|js|wasm)$/;
export const RULES = /\.md$/;

/** Each of these files, and all of them: how large it is as it is, with gzip, and with brotli. */
export function sizes(which = LOADED) {
  const rows = readdirSync(DIST).sort().filter((name) => which.test(name)).map((name) => {
    const bytes = readFileSync(new URL(name, DIST));
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
  });
  const all = (key) => rows.reduce((sum, row) => sum + row[key], 0);
  return [...rows, { name: "all", raw: all("raw"), gzip: all("gzip"), brotli: all("brotli") }];
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const { name, raw, gzip, brotli } of [...sizes(), { ...sizes(RULES).at(-1), name: "rules, when opened" }]) {
    console.log(`${name.padEnd(20)} ${[raw, gzip, brotli].map((bytes) => String(bytes).padStart(9)).join("")}`);
  }
}

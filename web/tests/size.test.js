// All that a page loads stays small.
import assert from "node:assert/strict";
import test from "node:test";
import { MOST, sizes } from "../size.js";

test("the playground has at most 300 KB compressed", () => {
  const rows = sizes();
  assert.ok(rows.some((row) => row.name === "sarai.wasm"));
  const { gzip } = rows.at(-1);
  assert.ok(gzip <= MOST, `${gzip} bytes with gzip, of ${MOST} allowed`);
});

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "..", "..", "dist", "types");

test("the declarations name no type that TypeScript 5.6 lacks: arrays of bytes are not generic there", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
  const found = files.filter((name) => /\b(?:Uint\w*Array|Buffer)</.test(readFileSync(join(folder, name), "utf8")));
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

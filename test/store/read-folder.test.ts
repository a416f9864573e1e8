import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAtFiles } from "../../src/store/read-folder.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("files are found with their sizes in their order, on a disk that is at hand and on one that is far away", async () => {
  const folder = await temporaryFolder();
  const names = Array.from({ length: 250 }, (_, at) => `${String(at).padStart(3, "0")}.txt`);
  // Every tenth went meanwhile.
  const there = names.filter((_, at) => at % 10 !== 0);
  for (const [at, name] of there.entries()) await writeFile(join(folder, name), "x".repeat(at));
  const look = (now?: () => number) => lookAtFiles(names, (name) => join(folder, name), 8, now);
  const atHand = await look(() => 0);
  expect(atHand.map(({ name, size }) => [name, size])).toEqual(there.map((name, at) => [name, at]));
  let ms = 0;
  let asked = 0;
  const farAway = await look(() => {
    asked += 1;
    ms += 1000;
    return ms;
  });
  // One slice was too slow: what is left is asked for by other threads.
  expect(asked).toBe(2);
  expect(farAway).toEqual(atHand);
  expect(await look()).toEqual(atHand);
});

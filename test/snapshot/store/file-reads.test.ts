import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAtFiles } from "../../../src/snapshot/store/file-reads.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

test("returns files with their sizes in order, on a nearby disk and on a distant one", async () => {
  const folder = await temporaryFolder();
  const names = Array.from({ length: 250 }, (_, at) => `${String(at).padStart(3, "0")}.txt`);
  // Every tenth was removed in between.
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
  // One slice was too slow, other threads handle a hundred files, and the last slice is measured again.
  expect(asked).toBe(4);
  expect(farAway).toEqual(atHand);
  expect(await look()).toEqual(atHand);
});

test("a busy moment does not slow down all following files", async () => {
  const folder = await temporaryFolder();
  const names = Array.from({ length: 1_000 }, (_, at) => `${at}.txt`);
  for (const name of names) await writeFile(join(folder, name), name);
  let asked = 0;
  const busyAtFirst = await lookAtFiles(
    names,
    (name) => join(folder, name),
    8,
    () => {
      asked += 1;
      return asked === 1 ? 0 : 1_000;
    },
  );
  expect(busyAtFirst.map(({ name, size }) => [name, size])).toEqual(names.map((name) => [name, name.length]));
  // Nine slices in this thread, at two looks at the clock each; one hundred files by others.
  expect(asked).toBe(18);
});

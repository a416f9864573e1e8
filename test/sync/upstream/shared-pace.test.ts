import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { reserve } from "../../../src/sync/upstream/pace.js";
import { type PaceHolder, paceFile, sharedPace } from "../../../src/sync/upstream/shared-pace.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const token = "a-token-that-nobody-may-see";
let file: string;
let warnings: string[];

beforeEach(async () => {
  file = paceFile(token, { XDG_CACHE_HOME: await temporaryFolder() }) as string;
  warnings = [];
});

const open = (): PaceHolder => sharedPace(file, (message) => void warnings.push(message));
/** Takes one place of 100 ms; returns when it is, from the first one on. */
const take = (holder: PaceHolder, nowMs: number): Promise<number> =>
  holder.update((pace) => {
    const { startMs, pace: next } = reserve(pace, 100, 1, nowMs);
    return { pace: next, result: startMs - nowMs };
  });

describe("a shared pace", () => {
  test("gives every time once to all processes", async () => {
    const nowMs = Date.now();
    const holders = Array.from({ length: 8 }, open);
    const places = await Promise.all(
      Array.from({ length: 80 }, (_, at) => take(holders[at % holders.length] as PaceHolder, nowMs)),
    );
    expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, at) => at * 100));
    expect(warnings).toEqual([]);
  });

  test("is named by a hash of the token, and does not contain the token", async () => {
    await take(open(), Date.now());
    const [name = ""] = await readdir(dirname(file));
    expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
    expect(await readFile(file, "utf8")).not.toContain(token);
    expect(await readdir(dirname(file))).toEqual([name]);
  });

  test("continues after a process that was killed with the lock", async () => {
    await take(open(), Date.now());
    await writeFile(`${file}.lock`, "");
    await writeFile(`${file}.new`, "half of");
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, longAgo, longAgo);
    expect(await take(open(), Date.now())).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["empty", ""],
    ["cut off", '{"format":1,"nextMs":'],
    ["of another format", '{"format":2}'],
    [
      "in a time that is far away",
      JSON.stringify({ format: 1, nextMs: 9e15, lastMs: 0, share: 1, sharedMs: 0, halvedMs: 0 }),
    ],
    ["no object", "null"],
    ["with an invalid share", JSON.stringify({ format: 1, nextMs: 0, lastMs: 0, share: 0, sharedMs: 0, halvedMs: 0 })],
  ])("replaces a file that is %s, and warns", async (_what, text) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    const holder = open();
    expect([await take(holder, Date.now()), await take(holder, Date.now())]).toEqual([0, expect.any(Number)]);
    expect(warnings).toEqual([expect.stringMatching(/is damaged\. Starting a new one/)]);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ format: 1 });
  });

  test("that cannot be written is skipped: the process limits only itself, and warns once", async () => {
    await mkdir(dirname(dirname(file)), { recursive: true });
    await writeFile(dirname(file), "a file where the folder should be");
    const holder = open();
    const nowMs = Date.now();
    expect(await take(holder, nowMs)).toBe(0);
    expect(await take(holder, nowMs)).toBe(100);
    expect(warnings).toEqual([expect.stringMatching(/not shared with other processes/)]);
  });

  test("whose lock stays taken is skipped after a while", async () => {
    await mkdir(`${file}.lock`, { recursive: true });
    const keep = setInterval(() => void utimes(`${file}.lock`, new Date(), new Date()), 200);
    try {
      const impatient = sharedPace(file, (message) => void warnings.push(message), 500);
      expect(await take(impatient, Date.now())).toBe(0);
    } finally {
      clearInterval(keep);
    }
    expect(warnings).toEqual([expect.stringMatching(/another process holds its lock/)]);
  });
});

test("the file is in the user's cache folder, or nowhere without one", () => {
  expect(paceFile(token, { XDG_CACHE_HOME: "/cache" })).toMatch(/^\/cache\/offprint\/rate\/[0-9a-f]{64}\.json$/);
  if (process.platform === "linux") {
    expect(paceFile(token, { HOME: "/home/someone" })).toContain(join("/home/someone", ".cache", "offprint"));
  }
});

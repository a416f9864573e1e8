// @module-tag long
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { type FrontRequest, forward, startFrontServer } from "../support/front-server.js";
import { runCli } from "../support/run-cli.js";
import type { ScriptedAnswer } from "../support/scripted-server.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const stories = Array.from({ length: 60 }, (_, n) => ({ name: `Page ${n}`, slug: `page-${n}` }));

/** A space of 60 stories behind a server that refuses, a folder to sync it into, and waits that take no time. */
async function open(
  refuse: (request: FrontRequest, behind: string) => ReturnType<Parameters<typeof startFrontServer>[1]>,
  settings = "",
) {
  const space = await startEditableSpace({ stories });
  const front = await startFrontServer(space.url, (request) => refuse(request, space.url));
  onTestFinished(async () => {
    await front.close();
    await space.close();
  });
  const folder = await syncFolder(crawlYaml(front.url, settings));
  const waits: number[] = [];
  const notes: string[] = [];
  const pacing = { sleep: async (ms: number) => void waits.push(ms), now: () => performance.now() };
  const sync = () =>
    folder.sync({
      pacing,
      onProgress: (progress) => {
        if (progress.kind === "note") notes.push(progress.message);
      },
    });
  const waitedMs = () => waits.reduce((sum, ms) => sum + ms, 0);
  return { folder, front, sync, waits, waitedMs, notes };
}

const limited = (headers: Record<string, string> = {}): ScriptedAnswer => ({
  status: 429,
  headers,
  body: { error: "Too many requests" },
});
const stalled: ScriptedAnswer = { raw: [], after: "stall" };
const asksFor = ({ query }: FrontRequest): number => query.get("by_uuids")?.split(",").length ?? 0;

describe("an upstream that answers 429", () => {
  test("always, ends the sync after five minutes of waiting with the cause, and writes nothing", async () => {
    const { sync, front, folder } = await open(() => limited());
    await expect(sync()).rejects.toMatchObject({
      code: "UPSTREAM_RATE_LIMITED",
      exitCode: 5,
      message: expect.stringMatching(/answered 429 to everything for \d min: .*Too many requests/),
      hint: expect.stringMatching(/limit of this token/),
    });
    expect(front.requests.length).toBeLessThan(20);
    expect(existsSync(folder.output)).toBe(false);
  });

  test("to every second request, slows the sync down and does not end it", async () => {
    const { sync, waitedMs } = await open(({ index }) => (index % 2 === 0 ? limited() : undefined));
    const report = await sync();
    expect(report).toMatchObject({ outcome: "committed", consistency: "exact", stories: { total: 60 } });
    expect(report.requests.rateLimited).toBeGreaterThan(3);
    expect(report.requests.retried).toBe(report.requests.rateLimited);
    expect(waitedMs()).toBeGreaterThan(report.requests.rateLimited * 1_000);
  });

  test("once the stories are asked for, still leaves an exact snapshot", async () => {
    let refusals = 0;
    const { sync } = await open((request) => (asksFor(request) > 0 && refusals++ < 12 ? limited() : undefined));
    expect(await sync()).toMatchObject({ outcome: "committed", consistency: "exact" });
  });

  test.each([
    ["a day", "86400"],
    ["more seconds than there are", "99999999999999999999"],
    ["a date that is past", "Tue, 03 Nov 2020 10:00:00 GMT"],
    ["a date that is far off", "Tue, 03 Nov 2099 10:00:00 GMT"],
    ["text", "soon, probably"],
    ["a negative number", "-5"],
    ["nothing", ""],
  ])("and announces %s, is waited for between a second and a minute", async (_what, wish) => {
    const { sync, waits } = await open(({ index }) => (index === 1 ? limited({ "retry-after": wish }) : undefined));
    expect(await sync()).toMatchObject({ outcome: "committed", requests: { rateLimited: 1 } });
    const [pause = 0] = waits.filter((ms) => ms >= 1_000);
    expect(pause).toBeGreaterThanOrEqual(1_000);
    expect(pause).toBeLessThanOrEqual(60_500);
  });
});

describe("an upstream that cannot answer for many stories at once", () => {
  test.each<[string, ScriptedAnswer, string?]>([
    ["does not come in time", stalled, "2s"],
    ["is cut off", { raw: ["HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{"], after: "end" }],
    ["is too large", { raw: ["HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n{"], after: "end" }],
    ["is a gateway's timeout", { status: 504, body: "" }],
  ])("whose answer %s, is asked for half as many, and stays so", async (_what, answer, timeout = "20s") => {
    const asked: number[] = [];
    const { sync, notes } = await open((request) => {
      if (asksFor(request) === 0) return undefined;
      asked.push(asksFor(request));
      return asksFor(request) > 20 ? answer : undefined;
    }, `queue: { timeout: ${timeout}, retries: 1 }\n`);
    expect(await sync()).toMatchObject({ outcome: "committed", consistency: "exact", stories: { total: 60 } });
    expect([...new Set(asked)]).toEqual([60, 30, 15]);
    expect(asked.filter((count) => count === 15)).toHaveLength(4);
    expect(notes.filter((note) => note.startsWith("Requesting at most"))).toHaveLength(2);
  });

  test.each([
    ["says so (Per-Page)", ["total", "per-page"]],
    ["reports only their number", ["total"]],
    ["tells nothing", []],
  ])("and sends 25 rows at most, and %s, is read to the last one", async (_what, told) => {
    const { sync, front } = await open(async ({ path, query }, behind) => {
      const perPage = Number(query.get("per_page") ?? 25);
      if (perPage <= 25) return undefined;
      query.set("per_page", "25");
      const answer = await forward(`${behind}${path}?${query}`);
      const kept = Object.entries(answer.headers ?? {}).filter(
        ([name]) => !["total", "per-page"].includes(name) || told.includes(name),
      );
      return { ...answer, headers: Object.fromEntries(kept) };
    });
    expect(await sync()).toMatchObject({ outcome: "committed", consistency: "exact", stories: { total: 60 } });
    expect(front.requests.length).toBeLessThan(40);
    expect(await sync()).toMatchObject({ outcome: "unchanged" });
  });

  test("and that stalls even for one, ends the sync in bounded time with the cause", async () => {
    const { sync } = await open(
      (request) => (asksFor(request) > 0 ? stalled : undefined),
      "queue: { timeout: 100ms, retries: 1 }\n",
    );
    await expect(sync()).rejects.toMatchObject({
      code: "UPSTREAM_TIMEOUT",
      exitCode: 5,
      message: expect.stringMatching(/was not answered completely within 100 ms|sent nothing for 100 ms/),
    });
  });
});

test("lets twenty processes with one token share its limit: all succeed, with hardly any refusals", async () => {
  const space = await startEditableSpace({ stories: stories.slice(0, 5) });
  const perSecond = 60;
  let recent: number[] = [];
  let refused = 0;
  const front = await startFrontServer(space.url, () => {
    const now = performance.now();
    // On a busy machine a request arrives up to a second after it was sent: two seconds are counted together.
    recent = recent.filter((ms) => now - ms < 2_000);
    if (recent.length < 2 * perSecond * 1.15) {
      recent.push(now);
      return undefined;
    }
    refused++;
    return limited();
  });
  onTestFinished(async () => {
    await front.close();
    await space.close();
  });
  const cache = await temporaryFolder();
  const runs = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const dir = await temporaryFolder();
      await writeFile(
        join(dir, "sync.config.yaml"),
        `source: { url: "${front.url}", token: one-token-for-all }\nqueue: { rateLimit: ${perSecond} }\ncontent: { formats: [] }\n`,
      );
      return runCli(["sync", "--json"], { cwd: dir, env: { XDG_CACHE_HOME: cache } });
    }),
  );
  expect(runs.map(({ code, stderr }) => (code === 0 ? "" : stderr)).filter(Boolean)).toEqual([]);
  expect(runs.filter(({ stderr }) => stderr.includes("rate budget"))).toEqual([]);
  expect(refused).toBeLessThanOrEqual(2);
}, 120_000);

test("a rate budget that cannot be shared is a warning, and the sync succeeds", async () => {
  const space = await startEditableSpace({ stories: stories.slice(0, 2) });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  await writeFile(join(dir, "not-a-folder"), "");
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${space.url}", token: one-token-for-all }\nqueue: { rateLimit: 50 }\ncontent: { formats: [] }\n`,
  );
  const { code, stderr } = await runCli(["sync"], {
    cwd: dir,
    env: { XDG_CACHE_HOME: join(dir, "not-a-folder") },
  });
  expect(code).toBe(0);
  expect(stderr.match(/The rate budget is not shared/g)).toHaveLength(1);
  expect(stderr).not.toContain("one-token-for-all");
});

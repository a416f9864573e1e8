import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../src/config/config.js";
import { loadConfig } from "../src/config/load/load-spaces.js";
import { isOffprintError } from "../src/lib/errors.js";
import { memberText } from "../src/lib/json/member.js";
import { parts } from "../src/snapshot/layout.js";
import type { Manifest } from "../src/snapshot/manifest.js";
import { readPart } from "../src/snapshot/read-part.js";
import type { Lock } from "../src/snapshot/store/lock.js";
import { createMemoryStore } from "../src/snapshot/store/memory-store.js";
import type { Store } from "../src/snapshot/store/store.js";
import type { SyncReport } from "../src/sync/report.js";
import { sync } from "../src/sync/sync.js";
import { createRandom } from "../test/support/model-space/random.js";
import { inFolder, median } from "./measure.js";
import type { Bench, BenchRow } from "./row.js";
import { liveAgent } from "./space/live-agent.js";
import { createLiveSpace, type LiveSpace } from "./space/live-space.js";

/** Milliseconds between the beginnings of two syncs. */
const periodMs = 300_000;
const rates = [undefined, 30_000, 10_000, 5_000, 3_000];

/**
 * A space that people publish in all day, synced every five minutes under the published limits, on a clock of its own:
 * how long a publish takes to be in a commit, what a sync asks, and what becomes of the first one.
 */
export const busyBench: Bench = async ({ short }) => {
  const stories = short ? 2_000 : 20_000;
  const runs = short ? 12 : 24;
  const seeds = short ? ["1"] : ["1", "2"];
  const rows: BenchRow[] = [];
  for (const everyMs of rates) {
    const days: Day[] = [];
    for (const seed of seeds) days.push(await live({ stories, everyMs, seed }, runs));
    rows.push(...rowsOf(everyMs, stories, days));
  }
  return rows;
};

/** What the syncs of one space came to. */
interface Day {
  /** Syncs until the first commit, and the seconds from its first request to that. */
  firstTries: number;
  firstSeconds: number;
  /** Of the syncs after the first commit. */
  requests: number[];
  /** Syncs after the first commit that did not commit although something was published. */
  kept: number;
  levels: string[];
  /** Seconds from a publish to the commit that shows it; of one that none shows, to the end. */
  delays: number[];
}

async function live(shape: Parameters<typeof createLiveSpace>[0], runs: number): Promise<Day> {
  const space = createLiveSpace(shape);
  const random = createRandom(`${shape.seed}/way`);
  const store = createMemoryStore();
  const config = await configuration();
  const day: Day = { firstTries: 0, firstSeconds: 0, requests: [], kept: 0, levels: [], delays: [] };
  const open: Publish[] = [];
  let seen = 0;
  const startMs = space.nowMs;
  for (let number = 0; day.requests.length < runs && number < 2 * runs; number++) {
    space.advanceTo(startMs + number * periodMs);
    const isFirst = day.firstSeconds === 0;
    if (isFirst) day.firstTries++;
    const report = await runSync(space, { config, store, random });
    const commitMs = space.nowMs;
    if (!isFirst) day.requests.push(report.requests);
    if (report.outcome !== "committed") {
      if (!isFirst && report.outcome !== "unchanged") day.kept++;
      continue;
    }
    if (isFirst) day.firstSeconds = (commitMs - startMs) / 1_000;
    day.levels.push(report.level ?? "none");
    open.push(...space.publishes.slice(seen));
    seen = space.publishes.length;
    const shown = report.manifest === undefined ? new Map() : await publishedIn(store, report.manifest, open);
    for (const publish of open.splice(0)) {
      const isShown = (shown.get(publish.uuid) ?? 0) >= publish.atMs;
      if (!isShown) open.push(publish);
      else if (!isFirst) day.delays.push((commitMs - publish.atMs) / 1_000);
    }
  }
  if (day.firstSeconds === 0) day.firstSeconds = (space.nowMs - startMs) / 1_000;
  // Of what was published in the last period no commit can be expected.
  const lateMs = space.nowMs - periodMs;
  for (const { atMs } of [...open, ...space.publishes.slice(seen)]) {
    if (atMs < lateMs) day.delays.push((space.nowMs - atMs) / 1_000);
  }
  return day;
}

type Publish = LiveSpace["publishes"][number];

interface Setting {
  config: Config;
  store: Store;
  random: ReturnType<typeof createRandom>;
}

interface RunReport {
  outcome: SyncReport["outcome"];
  requests: number;
  level: string | null;
  manifest: Manifest | undefined;
}

async function runSync(space: LiveSpace, { config, store, random }: Setting): Promise<RunReport> {
  let requests = 0;
  let manifest: Manifest | undefined;
  try {
    const report = await sync({
      config,
      output: { dir: "/live", store, lock: async () => heldLock },
      openAgent: () => liveAgent(space, random),
      pacing: {
        sleep: async (ms) => space.advanceTo(space.nowMs + ms),
        now: () => space.nowMs,
        random: random.next,
      },
      onProgress: (event) => {
        if (event.kind === "request") requests = event.total;
      },
      onCommit: (committed) => {
        manifest = committed.manifest;
      },
    });
    return { outcome: report.outcome, requests, level: report.consistency, manifest };
  } catch (error) {
    if (!isOffprintError(error, "UPSTREAM_INCONSISTENT")) throw error;
    return { outcome: "failed", requests, level: null, manifest };
  }
}

const heldLock: Lock = {
  owner: { pid: process.pid, host: "bench", pidNamespace: null, processStart: null, nonce: "0".repeat(16), since: "" },
  assertHeld: async () => {},
  release: async () => {},
};

/** When each of some stories was published, as a generation has it, in milliseconds since the epoch. */
async function publishedIn(store: Store, manifest: Manifest, wanted: readonly Publish[]): Promise<Map<string, number>> {
  const uuids = new Set(wanted.map(({ uuid }) => uuid));
  const part = parts.stories("published/default");
  const entry = manifest.parts[part];
  const found = new Map<string, number>();
  if (entry === undefined) return found;
  for await (const { key, line } of readPart(store, part, entry)) {
    if (uuids.has(key)) found.set(key, Date.parse(memberText(line, "published_at") ?? ""));
  }
  // Where it is gone, the commit shows that instead.
  for (const uuid of uuids) if (!found.has(uuid)) found.set(uuid, gone(manifest));
  return found;
}

function gone({ cv }: Manifest): number {
  return (cv ?? 0) * 1_000;
}

async function configuration(): Promise<Config> {
  return inFolder(async (dir) => {
    const file = `source: { url: "http://127.0.0.1:1", token: bench-token-0123456789, settle: 2s }
queue: { rateLimit: false }
assets: { download: false }
content: { formats: [] }
output: { dir: output, shardBytes: 64KB }
`;
    await writeFile(join(dir, "sync.config.yaml"), file);
    return loadConfig({ cwd: dir, env: {} });
  });
}

function rowsOf(everyMs: number | undefined, stories: number, days: readonly Day[]): BenchRow[] {
  const all = <T>(pick: (day: Day) => readonly T[]): T[] => days.flatMap((day) => [...pick(day)]);
  const name = `${stories} stories, ${everyMs === undefined ? "nobody publishes" : `a publish every ${everyMs / 1_000} s`}`;
  const requests = all(({ requests: sent }) => sent);
  const delays = all(({ delays: waited }) => waited);
  const levels = all(({ levels: reached }) => reached);
  const counted = [...new Set(levels)].map((level) => `${levels.filter((other) => other === level).length} ${level}`);
  const tries = Math.max(...days.map(({ firstTries }) => firstTries));
  const kept = days.reduce((sum, day) => sum + day.kept, 0);
  const never = days.some(({ levels: reached }) => reached.length === 0);
  const isBusy = everyMs !== undefined;
  return [
    row(`${name}: first sync`, "s", median(days.map(({ firstSeconds }) => firstSeconds))),
    row(`${name}: tries of the first sync`, "runs", tries, isBusy ? 1 : undefined, never ? "in vain" : undefined),
    ...(isBusy
      ? [
          row(`${name}: publish to commit, median`, "s", median(delays)),
          row(`${name}: publish to commit, p95`, "s", percentile(delays, 0.95), everyMs >= 10_000 ? 330 : undefined),
        ]
      : []),
    row(
      `${name}: requests a run`,
      "requests",
      requests.length === 0 ? 0 : median(requests),
      everyMs === 10_000 ? 60 : undefined,
    ),
    row(`${name}: kept the old state, of ${requests.length}`, "runs", kept, isBusy ? 0 : undefined, counted.join(", ")),
  ];
}

function row(name: string, unit: BenchRow["unit"], value: number, atMost?: number, note?: string): BenchRow {
  const aim = atMost === undefined ? null : { text: `≤ ${atMost}`, met: value <= atMost };
  return { name, unit, value, floor: null, ratio: null, aim, ...(note === undefined ? {} : { note }) };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { currentManifest } from "../src/snapshot/current-manifest.js";
import { openOutput } from "../src/snapshot/open-output.js";
import { inFolder } from "./measure.js";
import { type Bench, type BenchRow, exactRow } from "./row.js";
import { folderCount } from "./space/records.js";
import { type Space, withSpace } from "./space/start-space.js";
import { firstSyncIn, type SyncOutcome, syncIn } from "./sync-command.js";

const MB = 1024 * 1024;
/** What a sync of a million small stories may take, whatever it finds. */
const memoryAtMostMB = 600;

/**
 * Large spaces of small stories, snapshot only: a first sync, and one of ten changes. Beside what the largest takes stands how
 * each figure grows from one size to the next: 1 for what is linear. `OFFPRINT_LARGE=100000,3000000` measures other sizes.
 */
export const largeBench: Bench = async ({ short }) => {
  const usual = short ? "10000,30000" : "100000,300000,1000000";
  const sizes = (process.env.OFFPRINT_LARGE ?? usual).split(",").map(Number);
  const measured: Measured[] = [];
  for (const stories of sizes) {
    process.stderr.write(`large: ${stories} stories …\n`);
    measured.push(await withSpace({ stories, languages: [], isNumbered: true }, measure));
  }
  return [...measured.flatMap(rowsOf), ...measured.slice(1).flatMap((more, at) => growthOf(measured[at]!, more))];
};

/** What two syncs of one size took. */
interface Measured {
  stories: number;
  first: SyncFigures;
  ten: SyncFigures;
  snapshot: { files: number; bytes: number; shards: number; manifestBytes: number };
}

interface SyncFigures {
  seconds: number;
  cpuSeconds: number;
  peakMB: number;
  requests: number;
  expectedRequests: number;
  wireMB: number;
}

async function measure(space: Space): Promise<Measured> {
  const { stories } = space.shape;
  const links = Math.ceil((stories + folderCount(stories) + 1) / 1_000);
  return inFolder(async (dir) => {
    await space.configure(dir);
    const first = await figuresOf(await firstSyncIn(dir, true), Math.ceil(stories / 100) + links);
    await space.edit({ articles: 10 });
    const changed = await syncIn(dir, [], true);
    if (changed.report.stories.changed !== 10) throw new Error(`${changed.report.stories.changed} stories changed`);
    const ten = await figuresOf(changed, 1 + links);
    return { stories, first, ten, snapshot: await snapshotIn(join(dir, "output")) };
  });
}

/** Beside stories and links: two probes, the space, tags, experiments, datasources and the entries of the one that there is. */
const otherRequests = 7;

async function figuresOf({ ms, cpuMs, peakBytes, report }: SyncOutcome, requests: number): Promise<SyncFigures> {
  return {
    seconds: ms / 1_000,
    cpuSeconds: (cpuMs ?? 0) / 1_000,
    peakMB: (peakBytes ?? 0) / MB,
    requests: report.requests.total,
    expectedRequests: requests + otherRequests,
    wireMB: report.requests.bytes / MB,
  };
}

async function snapshotIn(output: string): Promise<Measured["snapshot"]> {
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(output, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files++;
    bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  const manifest = await currentManifest(openOutput({ dir: output }).store);
  const shards = Object.values(manifest?.parts ?? {}).reduce((sum, part) => sum + part.shards.length, 0);
  return { files, bytes, shards, manifestBytes: (await stat(join(output, "manifest.json"))).size };
}

function rowsOf({ stories, first, ten, snapshot }: Measured): BenchRow[] {
  const kinds: [string, SyncFigures][] = [
    [`first sync of ${stories} small stories`, first],
    [`10 changes in ${stories} small stories`, ten],
  ];
  return [
    ...kinds.flatMap(([name, sync]) => [
      told(name, "s", sync.seconds),
      told(`${name}, processor time`, "s", sync.cpuSeconds),
      { ...told(`${name}, memory`, "MB", sync.peakMB), aim: aimOf(stories, sync.peakMB) },
      exactRow(`${name}, requests`, "requests", sync.requests, sync.expectedRequests),
      told(`${name}, over the wire`, "MB", sync.wireMB),
    ]),
    told(`snapshot of ${stories} small stories, two generations`, "MB", snapshot.bytes / MB),
    told(`snapshot of ${stories} small stories, two generations`, "files", snapshot.files),
    told(`manifest of ${stories} small stories: ${snapshot.shards} shards`, "MB", snapshot.manifestBytes / MB),
  ];
}

function aimOf(stories: number, peakMB: number): BenchRow["aim"] {
  if (stories > 1_000_000) return null;
  return { text: `≤ ${memoryAtMostMB} MB`, met: peakMB <= memoryAtMostMB };
}

function growthOf(less: Measured, more: Measured): BenchRow[] {
  const from = `from ${less.stories} to ${more.stories}`;
  const stories = more.stories - less.stories;
  const exponent = (a: number, b: number) => Math.log(b / a) / Math.log(more.stories / less.stories);
  return (["first", "ten"] as const).flatMap((kind) => {
    const [a, b] = [less[kind], more[kind]];
    const name = `${kind === "first" ? "first sync" : "10 changes"}, ${from}`;
    return [
      told(`${name}: memory for each story`, "KB/story", ((b.peakMB - a.peakMB) * 1024) / stories),
      told(`${name}: processor time for each story`, "µs/story", ((b.cpuSeconds - a.cpuSeconds) * 1e6) / stories),
      told(`${name}: growth of the processor time`, "exponent", exponent(a.cpuSeconds, b.cpuSeconds)),
      told(`${name}: growth of the memory`, "exponent", exponent(a.peakMB, b.peakMB)),
    ];
  });
}

function told(name: string, unit: BenchRow["unit"], value: number): BenchRow {
  return { name, unit, value, floor: null, ratio: null, aim: null };
}

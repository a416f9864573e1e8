import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { isOffprintError } from "../../src/lib/errors.js";
import { createTransport, type Transport } from "../../src/lib/http/transport.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { cacheFolder, generationFile, generationOf, manifestFile, shardFile } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { manifestText, withChecksum } from "../../src/snapshot/manifest-text.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openBucket } from "../../src/snapshot/store/s3/open-bucket.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import type { SyncReport } from "../../src/sync/report.js";
import { openServedBucket } from "./s3-endpoint.js";
import { keyVariables, s3Machine, storeSettingOf } from "./s3-machine.js";
import type { Machine } from "./shared-project.js";
import { temporaryFolder } from "./temporary-folder.js";
import { startTinySpace, type TinySpace } from "./tiny-space.js";

/**
 * A fault at one request of a writer. A writer that dies sends nothing more, and its promises never
 * settle: like a killed process, it runs no further code, except code that needs no bucket. Reads
 * have no effect: `answered-503` refuses them once.
 */
export const disturbances = ["dies-before", "dies-after", "answered-503", "unanswered", "unreachable"] as const;
export type Disturbance = (typeof disturbances)[number];

function concerns(disturbance: Disturbance, isWrite: boolean): boolean {
  return isWrite || (disturbance !== "dies-after" && disturbance !== "unreachable");
}

/** The state before, and edits of the space: the disturbed writer syncs after each. */
export interface BucketHistory {
  before: ((space: TinySpace) => void)[];
  edits: ((space: TinySpace) => void)[];
  /** True if the writer has an old cache in which every object is damaged. */
  hasDamagedCache: boolean;
}

const headline = (at: number, text: string) => (space: TinySpace) => {
  space.stories[at]!.headline = text;
};
const withoutImage = (space: TinySpace) => {
  space.stories[0] = { slug: "home", headline: "Home, without image" };
};

export const bucketHistories: [string, BucketHistory][] = [
  [
    "a first sync, an edit, an edit with a removal",
    {
      before: [],
      edits: [() => undefined, headline(0, "Home, edited"), (space) => void space.stories.splice(1, 1)],
      hasDamagedCache: false,
    },
  ],
  [
    "a snapshot of four generations, a damaged cache, edits, an asset that comes and goes, and a prune",
    {
      before: [
        withoutImage,
        headline(1, "First, again"),
        headline(2, "Second, again"),
        headline(1, "First, once more"),
      ],
      edits: [
        (space) => {
          space.stories[0] = { slug: "home", headline: "Home, with image", image: true };
          space.stories.push({ slug: "blog/third", headline: "Third" });
        },
        withoutImage,
        (space) => {
          space.entries = { red: "#e00", blue: "#00e" };
          space.stories[2]!.headline = "Second, at last";
        },
      ],
      hasDamagedCache: true,
    },
  ],
];

const startCv = 1_700_000_000;
const more = "assets: { download: true }\noutput: { keepGenerations: 2 }\ncontent: { formats: [] }\n";

/** The result of one run of a history. */
export interface Life {
  /** True if the disturbed writer got that far. */
  isHit: boolean;
  /** True if it had committed the state that it was syncing. */
  hasCommitted: boolean;
  /** How many of its requests the disturbance can hit. */
  requests: number;
}

export interface BucketCrash {
  /**
   * Runs the history once.
   * @param at number of the request that is hit, from 1, among those that the disturbance can hit;
   *   undefined: none
   */
  live(disturbance: Disturbance, at: number | undefined): Promise<Life>;
}

/** A history to run many times, on one S3 server and one space. */
export async function bucketCrash(history: BucketHistory): Promise<BucketCrash> {
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const [at, space] = [await openServedBucket({ now }), await startTinySpace()];
  const first = structuredClone({ stories: space.stories, entries: space.entries });
  const transport = createTransport({ connections: 32, env: {} });
  const stored = at.server.bucket(at.bucket);
  const nameOf = (key: string) => key.slice("site/".length);
  const manifestAt = (name: string): Manifest | undefined => {
    const found = stored.get(`site/${name}`);
    return found && (JSON.parse(found.body.toString()) as Manifest);
  };
  const expected = new Map<number, string>();
  const open = (machine: Machine, over: Transport = transport) => {
    const options = { env: keyVariables(at), transport: over, now, sleep: async () => {} };
    const bucket = openBucket(storeSettingOf(at), options);
    const leaseClock = { now, elapsed: now, sleep: () => new Promise<void>(() => {}) };
    // Requests of a storage trial are not part of the history; other tests kill processes in it.
    return machine.open({ bucket, clock: leaseClock, assure: async () => {} });
  };
  const machine = () => s3Machine(space.url, at, { more });
  const apply = (edit: (space: TinySpace) => void) => {
    edit(space);
    space.cv += 10;
  };
  const restart = () => Object.assign(space, structuredClone(first), { cv: startCv });

  restart();
  const maker = await machine();
  for (const edit of history.before) {
    apply(edit);
    await maker.sync({}, open(maker));
  }
  for (const key of stored.keys()) backdate(key);
  const base = stored.keys().map((key) => ({ key, body: stored.get(key)!.body }));
  const kept = await temporaryFolder();
  await cp(maker.dir, kept, { recursive: true }).catch(() => undefined);

  /** Makes a generation three hours old, so that it may be removed once it is superseded. */
  function backdate(key: string): void {
    const name = nameOf(key);
    if (name !== manifestFile && generationOf(name) === undefined) return;
    const { checksum: _, ...manifest } = manifestAt(name)!;
    const committedAt = new Date(clock.nowMs - 3 * 60 * 60_000).toISOString();
    stored.put(key, Buffer.from(manifestText(withChecksum({ ...manifest, committedAt }))), clock.nowMs);
  }

  async function reset(): Promise<[Machine, Machine, Machine]> {
    for (const key of stored.keys()) stored.delete(key, clock.nowMs);
    for (const { key, body } of base) stored.put(key, body, clock.nowMs);
    restart();
    for (const edit of history.before) apply(edit);
    const machines: [Machine, Machine, Machine] = [await machine(), await machine(), await machine()];
    if (history.hasDamagedCache) {
      await cp(kept, machines[0].dir, { recursive: true });
      expect(await damageCache(join(machines[0].dir, cacheFolder))).toBeGreaterThan(0);
    }
    return machines;
  }

  /** Reads the whole current generation like a machine that has never seen the bucket. */
  async function readWhole(isOver: boolean): Promise<Manifest | undefined> {
    const setting = storeSettingOf(at);
    const bucket = openBucket(setting, { env: keyVariables(at), transport, now, sleep: async () => {} });
    const dir = await temporaryFolder();
    const { store } = openOutput({ dir, store: setting }, { bucket });
    const manifest = await currentManifest(store);
    if (manifest !== undefined) {
      const { problems } = await verifySnapshot(store, { all: isOver, deep: true });
      // Between a commit and its pointer, the pointer is behind.
      expect(problems.filter(({ message }) => isOver || !message.startsWith("manifest.json "))).toEqual([]);
    }
    await rm(dir, { recursive: true, force: true });
    return manifest;
  }

  return { live };

  async function live(disturbance: Disturbance, hitAt: number | undefined): Promise<Life> {
    const machines = await reset();
    const life: Life = { isHit: false, hasCommitted: false, requests: 0 };
    const seen = new Map<number, string>();
    const committed = new Map<number, number>();
    const watched = watch(transport, () => look(seen));
    let dead = false;
    let die = () => {};
    const death = new Promise<"died">((resolve) => {
      die = () => resolve("died");
    });
    const disturbed: Transport = {
      ...watched,
      async request(url, request) {
        if (dead) return never();
        const isWrite = request.method === "PUT" || request.method === "DELETE";
        const isHit = concerns(disturbance, isWrite) && ++life.requests === hitAt;
        if (!isHit) return alive(watched.request(url, request));
        life.isHit = true;
        if (disturbance === "dies-after") await watched.request(url, request);
        if (disturbance.startsWith("dies")) {
          dead = true;
          die();
          return never();
        }
        const kind = isWrite && disturbance !== "unreachable" ? "slow-down-after" : "slow-down";
        const when = ({ method, target }: { method: string; target: string }) =>
          method === request.method && target.split("?")[0] === url.pathname;
        const fault = at.server.fail({ kind }, { when });
        const answer = await watched.request(url, request);
        // Only this writer has the fault: another machine can still read.
        fault.clear();
        await readWhole(false);
        if (disturbance !== "answered-503") at.server.fail({ kind }, { when });
        return answer;
      },
    };
    // A dead process receives nothing.
    const alive = async <T>(answer: Promise<T>): Promise<T> => {
      const got = await answer;
      return dead ? never() : got;
    };
    const synced = (report: SyncReport) => {
      if (report.outcome !== "committed") return report;
      expect([...committed.values()], `cv ${space.cv} is committed once`).not.toContain(space.cv);
      committed.set(report.generation!, space.cv);
      return report;
    };

    let writer = 0;
    for (const [step, edit] of history.edits.entries()) {
      apply(edit);
      if (writer === 0) {
        const ended = machines[0].sync({}, open(machines[0], disturbed)).then(synced);
        const end = await Promise.race([ended.catch((error: unknown) => error), death]);
        at.server.clearFaults();
        const hasFailed = end === "died" || end instanceof Error;
        if (!hasFailed) continue;
        if (end instanceof Error && !(life.isHit && isOffprintError(end))) throw end;
        const left = await readWhole(false);
        life.hasCommitted = left?.cv === space.cv;
        clock.nowMs += 70_000;
        writer = 1;
        // Every other time the space changes before the next writer comes.
        if (step % 2 === hitAt! % 2 && step + 1 < history.edits.length) continue;
      }
      const here = machines[writer]!;
      synced(await here.sync({}, open(here, watched)));
      writer = writer === 1 ? 2 : 1;
    }
    // A lease that was not released expires.
    clock.nowMs += 70_000;
    for (const here of machines.slice(1)) synced(await here.sync({}, open(here, watched)));

    const last = await readWhole(true);
    expect(last?.cv).toBe(space.cv);
    const numbers = stored.keys().flatMap((key) => generationOf(nameOf(key)) ?? []);
    const cvs = numbers.map((number) => manifestAt(generationFile(number))!.cv);
    expect(cvs, "each state under one number, in their order").toEqual(
      [...new Set(cvs)].sort((a, b) => Number(a) - Number(b)),
    );
    for (const [number, cv] of committed) expect(manifestAt(generationFile(number))?.cv).toBe(cv);
    const wholeNumbers = [...seen.keys()].sort((a, b) => a - b);
    expect(wholeNumbers).toEqual(wholeNumbers.map((_, at) => at + wholeNumbers[0]!));
    for (const number of numbers) {
      const { cv, parts } = manifestAt(generationFile(number))!;
      const text = JSON.stringify(parts);
      if (hitAt === undefined) expected.set(cv!, text);
      expect(text, `generation ${number} is the space at ${cv}`).toBe(expected.get(cv!));
    }
    if (hitAt === undefined) expect(numbers.at(-1)).toBe(history.before.length + history.edits.length);
    await Promise.all(machines.map(({ dir }) => rm(dir, { recursive: true, force: true })));
    return life;
  }

  /**
   * Checks in the bucket itself what a reader relies on: the pointer names an existing, complete
   * generation.
   */
  function look(seen: Map<number, string>): void {
    for (const key of stored.keys()) {
      const number = generationOf(nameOf(key));
      if (number === undefined) continue;
      const { checksum } = manifestAt(nameOf(key))!;
      if (seen.has(number)) expect(checksum, `generation ${number} stays what it was`).toBe(seen.get(number));
      seen.set(number, checksum);
    }
    const pointer = manifestAt(manifestFile);
    if (pointer === undefined) return;
    expect(seen.get(pointer.generation), `the pointer names generation ${pointer.generation}`).toBe(pointer.checksum);
    for (const [part, { shards }] of Object.entries(pointer.parts)) {
      for (const shard of shards) expect(stored.get(`site/${shardFile(part, shard)}`)).toBeDefined();
    }
  }
}

/** Calls after each write that was answered. */
function watch(transport: Transport, written: () => void): Transport {
  return {
    ...transport,
    async request(url, request) {
      const answer = await transport.request(url, request);
      if (request.method === "PUT" || request.method === "DELETE") written();
      return answer;
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/** Changes the first byte of every object that a cache has. @returns how many there are */
async function damageCache(cache: string): Promise<number> {
  const files = (await readdir(join(cache, "snapshot"), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const bytes = await readFile(join(parentPath, name));
    bytes[0]! ^= 1;
    await writeFile(join(parentPath, name), bytes);
  }
  return files.length;
}

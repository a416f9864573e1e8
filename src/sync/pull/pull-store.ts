import type { Config, StoreSetting } from "../../config/config.js";
import { storeAddressText } from "../../config/schema/store-address.js";
import type { ExportReport } from "../../content/tree/export-content.js";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { OffprintError } from "../../lib/errors.js";
import { pointedManifest } from "../../snapshot/current-manifest.js";
import type { GenerationFile } from "../../snapshot/generation-files.js";
import { lockFolder } from "../../snapshot/lock-folder.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { cacheFolderOf, seenOf } from "../../snapshot/open-readable.js";
import type { Output } from "../../snapshot/output.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import { keptShare, noteUsed } from "../../snapshot/store/object-cache.js";
import { type FetchedSoFar, fetchWhole, mostBytesInMemory, parallelFetches, verifyByPieces } from "./fetch-files.js";
import { contentIsWhole } from "./look-at-folder.js";
import { bySize, type IsHere, type PullPlan, planPull } from "./plan-pull.js";
import type { PullOptions } from "./pull-folder.js";
import { type PullReport, pullReport } from "./pull-report.js";
import { copyNamed } from "./pull-source.js";
import { notePulled, readPulledNote } from "./pulled-note.js";

/** `output`: the configuration's, whose snapshot is in a store; it is only read. */
export type PullStoreOptions = Omit<PullOptions, "source" | "replace">;

/**
 * Copies the current generation of `output.store` into this machine's cache, where readers find it, and renders it.
 * @throws OffprintError of store and folder; `USAGE` if the cache is too small, `OUTPUT_UNUSABLE` if it is not whole
 */
export async function pullStore(options: PullStoreOptions): Promise<PullReport> {
  const startedMs = performance.now();
  const { config, dryRun, onProgress } = options;
  const setting = storeOf(config);
  const from = storeAddressText(setting);
  const local = openFileStore(config.output.dir, { rebuildable: true });
  onProgress?.({ stage: "compare" });
  const note = await readPulledNote(local);
  const before = note?.from === from ? note : undefined;
  const { manifest, plan, requests } = dryRun
    ? await plannedOnly(options, setting, from)
    : await fillCache(options, setting, from);
  const told = { from, manifest, previous: before?.generation ?? null, plan, requests, startedMs, problems: [] };
  if (dryRun) return pullReport({ ...told, outcome: "planned" });
  await seenOf(config.output.dir, setting).remember(manifest);
  const content = await contentOf(options, manifest);
  await notePulled(local, { from, checksum: manifest.checksum, generation: manifest.generation });
  const outcome = before?.checksum === manifest.checksum ? "unchanged" : "pulled";
  return pullReport({ ...told, outcome, content, problems: content?.problems ?? [] });
}

interface Filled {
  manifest: Manifest;
  plan: PullPlan;
  /** For the pointer and for objects. */
  requests: number;
}

async function plannedOnly(options: PullStoreOptions, setting: StoreSetting, from: string): Promise<Filled> {
  const manifest = await currentOf(options.output, from);
  return { manifest, plan: await planFor(options, setting, manifest), requests: 1 };
}

/** Fetches missing files; again if the store has a newer generation by then. */
async function fillCache(options: PullStoreOptions, setting: StoreSetting, from: string): Promise<Filled> {
  const { output } = options;
  let requests = 1;
  const copyOnce = async ({ manifest }: Pick<Filled, "manifest">): Promise<Filled> => {
    const plan = await planFor(options, setting, manifest);
    requests += plan.fetch.length;
    await fetchAll(options, plan);
    if (plan.fetch.length > 0) await assertKept(options, manifest);
    return { manifest, plan, requests };
  };
  return copyNamed(from, { manifest: await currentOf(output, from) }, copyOnce, async () => {
    requests += 1;
    return { manifest: await currentOf(output, from) };
  });
}

async function currentOf({ store }: Output, from: string): Promise<Manifest> {
  const manifest = await pointedManifest(store);
  if (manifest !== undefined) return manifest;
  throw new OffprintError("SNAPSHOT_MISSING", `There is no snapshot in ${from}.`, {
    hint: "First run `offprint sync` on the machine that has the token of the space.",
  });
}

async function planOf(
  { config, output: { store } }: PullStoreOptions,
  manifest: Manifest,
  isUsed: boolean,
): Promise<PullPlan> {
  const isHere = await inCache(config, isUsed);
  return planPull({ manifest, replaces: null, isHere, read: ({ name }) => store.get(name) });
}

async function planFor(options: PullStoreOptions, setting: StoreSetting, manifest: Manifest): Promise<PullPlan> {
  const plan = await planOf(options, manifest, !options.dryRun);
  const bytes = plan.fetchBytes + plan.present.bytes;
  // The cache keeps this much when it makes room: a larger generation would lose a part of itself.
  const kept = Math.floor(setting.cacheBytes * keptShare);
  if (bytes <= kept) return plan;
  throw new OffprintError(
    "USAGE",
    `Generation ${manifest.generation} takes ${bytes} bytes, but the cache on this machine keeps only ${kept}.`,
    { hint: "Raise output.s3.cache.maxBytes." },
  );
}

/** The cached files. Those of the generation are marked as used, so that none is evicted. */
async function inCache({ output }: Config, isUsed: boolean): Promise<IsHere> {
  const folder = cacheFolderOf(output);
  const isHere = await bySize(openFileStore(folder));
  return async (file) => {
    const isThere = await isHere(file);
    if (isThere && isUsed) await noteUsed(folder, file.name);
    return isThere;
  };
}

/** A cache ignores what it cannot keep, but a pull needs everything. */
async function assertKept(options: PullStoreOptions, manifest: Manifest): Promise<void> {
  const plan = await planOf(options, manifest, true);
  if (plan.fetch.length === 0) return;
  const files = plan.fetch.length + plan.present.files;
  throw new OffprintError(
    "OUTPUT_UNUSABLE",
    `${plan.fetch.length} of ${files} files of generation ${manifest.generation} could not be kept in ${cacheFolderOf(options.config.output)}.`,
    {
      hint: "Make room there, or name another folder: output.s3.cache.dir. The generation may also need more than output.s3.cache.maxBytes leaves.",
    },
  );
}

async function fetchAll(
  { output: { store }, signal, onProgress }: PullStoreOptions,
  { fetch, fetchBytes }: PullPlan,
): Promise<void> {
  const fetched: FetchedSoFar = { files: 0, bytes: 0 };
  const of = { files: fetch.length, bytes: fetchBytes };
  await mapBounded(fetch, parallelFetches, async (file: GenerationFile) => {
    signal?.throwIfAborted();
    // Reading a file from the store adds it to its cache.
    await (file.bytes > mostBytesInMemory ? verifyByPieces(store, file) : fetchWhole(store, file));
    fetched.files += 1;
    fetched.bytes += file.bytes;
    onProgress?.({ stage: "fetch", fetched, of });
  });
}

/** The content tree is in the folder: its own lock is enough. */
async function contentOf(
  { config, output, onProgress }: PullStoreOptions,
  manifest: Manifest,
): Promise<ExportReport | undefined> {
  if (await contentIsWhole(config, manifest, [])) return undefined;
  onProgress?.({ stage: "export" });
  const lock = await lockFolder(config.output.dir);
  try {
    const { exportGeneration } = await import("../../content/tree/export-generation.js");
    return await exportGeneration({ config, output: output.store, manifest, assertHeld: () => lock.assertHeld() });
  } finally {
    await lock.release();
  }
}

function storeOf({ output }: Config): StoreSetting {
  if (output.store === undefined) throw new RangeError("The configuration names no store.");
  return output.store;
}

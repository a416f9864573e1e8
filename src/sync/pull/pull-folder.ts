import type { Config } from "../../config/config.js";
import type { ExportReport } from "../../content/tree/export-content.js";
import type { Problem } from "../../lib/errors.js";
import { orUndefined } from "../../lib/or-undefined.js";
import type { GenerationFile } from "../../snapshot/generation-files.js";
import { damagedGenerations, generationFile, manifestFile } from "../../snapshot/layout.js";
import { noteContentProblems } from "../../snapshot/open-output.js";
import type { Output } from "../../snapshot/output.js";
import { saveState } from "../../snapshot/state.js";
import type { Lock } from "../../snapshot/store/lock.js";
import { recoverPointer } from "../../snapshot/write/commit.js";
import { pruneByRule } from "../../snapshot/write/prune.js";
import { commitCopy } from "./commit-copy.js";
import { type FetchedSoFar, fetchFiles, fetchWhole } from "./fetch-files.js";
import { contentIsWhole, type Looked, lookAtFolder, notePulled } from "./look-at-folder.js";
import { bySizeAndHash, type PullPlan, planPull, readHereOrThere } from "./plan-pull.js";
import { type PullReport, pullReport } from "./pull-report.js";
import { copyNamed, type PullSource, type SourceGeneration } from "./pull-source.js";

export interface PullOptions {
  config: Config;
  source: PullSource;
  output: Output;
  /** Discard local data that did not come from the source: another space, or newer generations. */
  replace?: boolean | undefined;
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: PullProgress) => void) | undefined;
}

export type PullProgress =
  | { stage: "compare" }
  | { stage: "fetch"; fetched: FetchedSoFar; of: FetchedSoFar }
  | { stage: "export" };

/**
 * Copies a source's current generation, byte for byte, under the folder's lock, and renders its content.
 * @throws OffprintError `SNAPSHOT_MISSING`, `SNAPSHOT_FORMAT`, `SPACE_MISMATCH`, `SNAPSHOT_AHEAD`, `LOCKED`
 */
export async function pullFolder(options: PullOptions): Promise<PullReport> {
  const startedMs = performance.now();
  const { source, output, config, onProgress } = options;
  onProgress?.({ stage: "compare" });
  const looked = await lookAtFolder(output.store, source, options);
  const { found, here, state, isDone } = looked;
  const told = { from: source.address, manifest: found.manifest, previous: here?.generation ?? null, startedMs };
  if (isDone && (await contentIsWhole(config, found.manifest, state.contentProblems))) {
    const problems = state.contentProblems;
    return pullReport({ ...told, outcome: "unchanged", requests: source.requests(), problems });
  }
  if (options.dryRun && looked.step === "held" && here !== undefined) {
    const problems = [heldHere(here.generation, found.manifest.generation)];
    return pullReport({ ...told, manifest: here, outcome: "kept", requests: source.requests(), problems });
  }
  if (options.dryRun) {
    const { plan } = await plannedFor(options, looked);
    return pullReport({ ...told, outcome: "planned", plan, requests: source.requests(), problems: [] });
  }
  const lock = await output.lock();
  try {
    return await pullLocked(options, lock, looked, startedMs);
  } finally {
    await lock.release();
  }
}

async function pullLocked(options: PullOptions, lock: Lock, before: Looked, startedMs: number): Promise<PullReport> {
  const { source, output, config, onProgress } = options;
  const { store } = output;
  // Repairs the pointer after a killed process. The copy itself repairs damage.
  await orUndefined(recoverPointer(store), "SNAPSHOT_DAMAGED");
  // Another process may have written to the folder since the comparison.
  const copied = await copy(options, await lookAtFolder(store, source, { ...options, known: before.found }));
  const { looked, plan } = copied;
  const { here, found, step } = looked;
  const manifest = step === "held" && here !== undefined ? here : found.manifest;
  const kept = step === "same" || step === "held" ? looked.state.contentProblems : [];
  let content: ExportReport | undefined;
  if (!(await contentIsWhole(config, manifest, kept))) {
    onProgress?.({ stage: "export" });
    const { exportGeneration } = await import("../../content/tree/export-generation.js");
    content = await exportGeneration({ config, output: store, manifest, assertHeld: () => lock.assertHeld() });
    await noteContentProblems(output, manifest, content.problems);
  }
  const pruned = step === "held" ? undefined : await pruneHere(options, lock);
  return pullReport({
    outcome: step === "held" ? "kept" : step === "same" ? "unchanged" : "pulled",
    from: source.address,
    manifest,
    previous: here?.generation ?? null,
    requests: source.requests(),
    plan,
    content,
    removed: pruned?.removed,
    startedMs,
    problems: [
      ...(step === "held" ? [heldHere(manifest.generation, found.manifest.generation)] : []),
      ...(content?.problems ?? kept),
      ...(pruned?.problems ?? []),
    ],
  });
}

/** Brings the folder to the source's generation; again if the source has a newer one by then. */
function copy(options: PullOptions, first: Looked): Promise<{ looked: Looked; plan?: PullPlan }> {
  const { source, output } = options;
  const copyOnce = async (known: SourceGeneration): Promise<{ looked: Looked; plan?: PullPlan }> => {
    const looked = known === first.found ? first : await lookAtFolder(output.store, source, { ...options, known });
    if (looked.isDone || looked.step === "held") return { looked };
    const fetching = fetchAll(options, looked);
    const own = looked.step === "same" ? undefined : source.generation(looked.found.manifest);
    // If one fails, wait for the other: nothing may be written after the lock is released.
    await Promise.allSettled([fetching, own]);
    const plan = await fetching;
    await conclude(options, looked, await own);
    return { looked, plan };
  };
  return copyNamed(source.address, first.found, copyOnce, () => source.current());
}

/** @returns the plan, and the bytes of shards that were fetched to find the assets */
async function plannedFor(
  { source, output, signal }: PullOptions,
  looked: Looked,
): Promise<{ plan: PullPlan; known: Map<string, Uint8Array> }> {
  const known = new Map<string, Uint8Array>();
  const fetch = async (file: GenerationFile): Promise<Uint8Array> => {
    signal?.throwIfAborted();
    const bytes = known.get(file.name) ?? (await fetchWhole(source.store, file));
    known.set(file.name, bytes);
    return bytes;
  };
  const { found, here, isSuspect } = looked;
  const plan = await planPull({
    manifest: found.manifest,
    replaces: here?.generation ?? null,
    isHere: await bySizeAndHash(output.store, here, isSuspect),
    read: readHereOrThere(output.store, fetch),
  });
  return { plan, known };
}

async function fetchAll(options: PullOptions, looked: Looked): Promise<PullPlan> {
  const { source, output, signal, onProgress } = options;
  const { plan, known } = await plannedFor(options, looked);
  const of = { files: plan.fetch.length, bytes: plan.fetchBytes };
  const onFetched = (fetched: FetchedSoFar) => onProgress?.({ stage: "fetch", fetched, of });
  await fetchFiles(source.store, output.store, plan.fetch, { known, signal, onFetched });
  return plan;
}

/** Makes the fetched generation current. If it already is, only repairs its damaged files. */
async function conclude(
  { source, output: { store } }: PullOptions,
  { found, step, state }: Looked,
  own: Uint8Array | undefined,
): Promise<void> {
  const { manifest, pointer, tag } = found;
  if (step === "same") {
    await store.flush();
    await store.replace(manifestFile, pointer);
    const earlier = damagedGenerations(state.damaged, manifest.generation).map(generationFile);
    if (state.damaged.length > earlier.length) await saveState(store, { ...state, damaged: earlier });
  } else {
    await commitCopy(store, { manifest, own: own ?? pointer, pointer });
  }
  await notePulled(store, { from: source.address, tag, checksum: manifest.checksum, generation: manifest.generation });
}

/** Removes objects that no kept generation names, as a sync does; nothing if one cannot be read. */
async function pruneHere(
  { config, output: { store } }: PullOptions,
  lock: Lock,
): Promise<Pick<PullReport, "removed" | "problems">> {
  await lock.assertHeld();
  const hint = "An earlier generation cannot be read, so no old file was removed. Run `offprint verify --all`.";
  const { generations, objects, problems } = await pruneByRule(store, config, hint);
  return { removed: { generations: generations.length, objects }, problems };
}

function heldHere(here: number, there: number): Problem {
  return {
    code: "HELD",
    message: `Generation ${here} is held after a rollback; the source has generation ${there}.`,
    hint: "To switch to the source's, run `offprint pull --replace`.",
  };
}

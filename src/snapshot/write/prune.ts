import type { Config } from "../../config/config.js";
import { isOffprintError, type Problem } from "../../lib/errors.js";
import { currentManifest, listGenerations } from "../current-manifest.js";
import { type WaitingGenerations, waitingGenerations } from "../cursors.js";
import { readAssets } from "../generation-files.js";
import {
  assetFile,
  assetsFolder,
  generationFile,
  parts as partNames,
  shardFile,
  sharedLayout,
  snapshotFolder,
} from "../layout.js";
import type { Manifest, PartEntry } from "../manifest.js";
import { type DatedManifest, datedManifests, type KeepRule, keepRule, planRetention } from "../retention.js";
import type { ReadFiles, Store } from "../store/store.js";
import { readStage } from "./stage.js";

export interface PruneOptions {
  /** Whether an old generation is damaged. Default: only if its manifest is unreadable. */
  isLost?: ((manifest: Manifest) => Promise<boolean>) | undefined;
  /** How long (ms) a generation waits for a consumer's cursor. Default: not at all. */
  consumersKeepMs?: number;
}

/**
 * First manifests, then unused objects; nothing if a required file cannot be read. @param keep the rule, or how many
 * @throws OffprintError `SNAPSHOT_DAMAGED` if a kept generation's assets cannot be read, `SNAPSHOT_FORMAT`
 */
export async function prune(
  store: Store,
  keep: KeepRule | number,
  nowMs: number,
  { isLost = async () => false, consumersKeepMs = 0 }: PruneOptions = {},
): Promise<{ generations: number[]; objects: number }> {
  const current = await currentManifest(store);
  if (current === undefined) return { generations: [], objects: 0 };
  const waiting = await waitingGenerations(store, nowMs - consumersKeepMs);
  const rule = typeof keep === "number" ? keepRule({ keepGenerations: keep }) : keep;
  const kept = await keptManifests(store, current, { rule, nowMs, isLost, waiting });
  const generations = (await listGenerations(store)).filter(
    (generation) => generation < current.generation && !kept.has(generation),
  );
  const named = await namedFiles(store, [...kept.values()]);
  const orphans = await unnamedFiles(store, named);

  for (const generation of generations) await store.remove(generationFile(generation));
  await store.flush();
  for (const file of orphans) await store.remove(file);
  await waiting.save();
  await store.flush();
  return { generations, objects: orphans.length };
}

/** {@link prune} as configured. If a generation cannot be read: nothing, and a problem with this hint. */
export async function pruneByRule(
  store: Store,
  { output, consumers }: Pick<Config, "output" | "consumers">,
  hint: string,
  isLost?: PruneOptions["isLost"],
): Promise<{ generations: number[]; objects: number; problems: Problem[] }> {
  try {
    const options = { isLost, consumersKeepMs: consumers.keepMs };
    return { ...(await prune(store, keepRule(output), Date.now(), options)), problems: [] };
  } catch (error) {
    if (!isOffprintError(error, "SNAPSHOT_DAMAGED") && !isOffprintError(error, "SNAPSHOT_FORMAT")) throw error;
    return { generations: [], objects: 0, problems: [{ ...error.toProblem(), hint }] };
  }
}

/** Shards and asset files not in `named`. A bucket may have other files in `assets/`. */
export async function unnamedFiles(store: ReadFiles, named: ReadonlySet<string>): Promise<string[]> {
  const files = [...(await store.names(snapshotFolder)), ...(await store.names(assetsFolder))];
  return files.filter((name) => sharedLayout.hashOf(name) !== undefined && !named.has(name));
}

/** The shard and asset files of these manifests and the stage. */
export async function namedFiles(store: ReadFiles, manifests: readonly Manifest[]): Promise<Set<string>> {
  const named = new Set<string>();
  const stage = await readStage(store);
  const everyParts = [...manifests, ...(stage === undefined ? [] : [stage])].map(({ parts }) => parts);
  for (const parts of everyParts) {
    for (const [part, entry] of Object.entries(parts)) await nameFiles(store, part, entry, named);
  }
  return named;
}

async function nameFiles(store: ReadFiles, part: string, entry: PartEntry, named: Set<string>): Promise<void> {
  // Generations share most shards; read each once.
  const shards = entry.shards.filter((shard) => !named.has(shardFile(part, shard)));
  for (const shard of shards) named.add(shardFile(part, shard));
  if (part !== partNames.assets) return;
  for await (const { hash, name } of readAssets(store, { records: 0, shards })) {
    if (hash !== null) named.add(assetFile(hash, name));
  }
}

/** The manifests to keep, by generation. Damaged ones are not kept, and do not count. */
async function keptManifests(
  store: Store,
  current: Manifest,
  options: { rule: KeepRule; nowMs: number; isLost(manifest: Manifest): Promise<boolean>; waiting: WaitingGenerations },
): Promise<Map<number, Manifest>> {
  const { rule, nowMs, isLost, waiting } = options;
  const whole: DatedManifest[] = [];
  for (const dated of await datedManifests(store, current, waiting)) {
    if (dated.manifest === current || !(await isLost(dated.manifest))) whole.push(dated);
  }
  const plan = planRetention(whole, rule, nowMs);
  const kept = whole.filter(({ generation }) => (plan.get(generation)?.length ?? 0) > 0);
  return new Map(kept.map(({ generation, manifest }) => [generation, manifest]));
}

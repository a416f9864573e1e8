import { OffprintError } from "../../lib/errors.js";
import { orUndefined } from "../../lib/or-undefined.js";
import { currentManifest, listGenerations, tryManifest } from "../current-manifest.js";
import { attributesFile, generationFile, manifestFile } from "../layout.js";
import { type Level, type Manifest, manifestFormat } from "../manifest.js";
import { manifestText, withChecksum } from "../manifest-text.js";
import type { Store } from "../store/store.js";

/** A manifest before its commit, which sets the omitted fields. */
export type ManifestDraft = Omit<
  Manifest,
  "format" | "generation" | "previous" | "level" | "committedAt" | "checksum"
> &
  Partial<Pick<Manifest, "format" | "level" | "committedAt">>;

/**
 * Makes all objects durable, creates the manifest exclusively (this is the commit), replaces the pointer.
 * @param options.base the generation that the draft started from: refuses if another one is current
 * @throws OffprintError `LOCKED` if another writer committed first; nothing has changed then
 */
export async function commit(
  store: Store,
  draft: ManifestDraft,
  options: { base?: number | null } = {},
): Promise<Manifest> {
  // If all are damaged, a new generation is the repair.
  const previous = (await orUndefined(currentManifest(store), "SNAPSHOT_DAMAGED"))?.generation ?? null;
  const generations = await listGenerations(store);
  if (options.base !== undefined && options.base !== previous) throw overtaken(previous);
  // A damaged manifest's number is not reused.
  const generation = Math.max(previous ?? 0, generations.at(-1) ?? 0) + 1;
  const manifest = completeManifest(draft, generation, previous);
  const bytes = Buffer.from(manifestText(manifest));
  if ((await store.get(attributesFile)) === undefined) await store.replace(attributesFile, Buffer.from("* -text\n"));
  await store.flush();
  if (!(await store.advance(generationFile(generation), bytes))) throw overtaken(generation);
  // If this process was paused here, another may have committed: the pointer must not go back.
  if ((await listGenerations(store)).at(-1) === generation) await store.replace(manifestFile, bytes);
  await store.flush();
  return manifest;
}

/** Repairs pointer and current generation file. For the lock holder; may be interrupted. */
export async function recoverPointer(store: Store): Promise<Manifest | undefined> {
  const manifest = await currentManifest(store);
  if (manifest === undefined) return undefined;
  let repaired = false;
  for (const file of [generationFile(manifest.generation), manifestFile]) {
    const { manifest: found } = await tryManifest(store, file);
    if (found?.checksum === manifest.checksum) continue;
    await store.replace(file, Buffer.from(manifestText(manifest)));
    repaired = true;
  }
  if (repaired) await store.flush();
  return manifest;
}

/** Confirms the generation, in the pointer only. @param lagMs how far parts may have lagged */
export async function confirmManifest(store: Store, manifest: Manifest, lagMs: number): Promise<Manifest> {
  const confirmed = { ...manifest, confirmed: true, assumedLagMs: lagMs };
  await store.replace(manifestFile, Buffer.from(manifestText(confirmed)));
  return confirmed;
}

function weakestLevel(levels: readonly Level[]): Level {
  if (levels.includes("interval")) return "interval";
  return levels.includes("stable") ? "stable" : "exact";
}

function completeManifest(draft: ManifestDraft, generation: number, previous: number | null): Manifest {
  const { space, cv, startedAt, committedAt, editions, parts, notIncluded, held, confirmed, assumedLagMs } = draft;
  const names = Object.keys(parts).sort();
  return withChecksum({
    format: manifestFormat,
    generation,
    previous,
    space,
    cv,
    level: weakestLevel(editions.map((edition) => edition.level)),
    startedAt,
    committedAt: committedAt ?? new Date().toISOString(),
    held,
    editions,
    notIncluded,
    parts: Object.fromEntries(names.map((name) => [name, parts[name]!])),
    ...(confirmed === undefined ? {} : { confirmed }),
    ...(assumedLagMs === undefined ? {} : { assumedLagMs }),
  });
}

function overtaken(generation: number | null): OffprintError {
  return new OffprintError("LOCKED", `Another process has committed generation ${generation} since.`, {
    hint: "Run the same command again: it starts from that generation.",
  });
}

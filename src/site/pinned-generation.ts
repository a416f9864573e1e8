import { realpath } from "node:fs/promises";
import { OffprintError } from "../lib/errors.js";
import { parseAs } from "../lib/parse-as.js";
import { map, where, wholeNumber } from "../lib/shape.js";
import { listGenerations, readManifest } from "../snapshot/current-manifest.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { ReadableSnapshot } from "../snapshot/open-readable.js";

const generationsByFolder = map(where(wholeNumber, "above 0", (generation) => generation > 0));
/** Pinned generations as JSON, inherited by child processes: `{"/site/output":42}`. */
const variable = "OFFPRINT_PINNED";

/**
 * The first call pins the current one, so start other processes after it; undefined: no snapshot.
 * @throws OffprintError `SNAPSHOT_MISSING` if it is no longer kept, `USAGE` for a malformed variable,
 * `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`
 */
export async function pinnedManifest(snapshot: ReadableSnapshot, dir: string): Promise<Manifest | undefined> {
  const folder = await realpath(dir).catch(() => dir);
  const pinned = pinnedGeneration(folder);
  if (pinned !== undefined) return keptManifest(snapshot, pinned, dir);
  const current = await snapshot.current();
  if (current === undefined) return undefined;
  // Another call may have pinned while the manifest was read.
  const first = pinnedGeneration(folder);
  if (first !== undefined) return first === current.generation ? current : keptManifest(snapshot, first, dir);
  process.env[variable] = JSON.stringify({ ...pinnedGenerations(), [folder]: current.generation });
  return current;
}

/** @throws OffprintError `SNAPSHOT_MISSING` if the generation is not kept, `SNAPSHOT_DAMAGED` */
export async function generationManifest(snapshot: ReadableSnapshot, generation: number): Promise<Manifest> {
  const current = await snapshot.current();
  if (current?.generation === generation) return current;
  return (await snapshot.generation(generation)) ?? readManifest(snapshot.store, generation);
}

async function keptManifest(snapshot: ReadableSnapshot, generation: number, dir: string): Promise<Manifest> {
  const current = await snapshot.current();
  if (current?.generation === generation) return current;
  const manifest = await snapshot.generation(generation);
  if (manifest !== undefined) return manifest;
  throw prunedGeneration(generation, dir, await listGenerations(snapshot.store));
}

/** The error for a generation removed while a build or server reads it. */
export function prunedGeneration(generation: number, dir: string, kept: readonly number[]): OffprintError {
  const those = kept.length === 0 ? "No generation is kept" : `Kept: ${kept.join(", ")}`;
  return new OffprintError(
    "SNAPSHOT_MISSING",
    `Generation ${generation}, which this build reads, is no longer kept in ${dir}. ${those}.`,
    {
      hint: "Restart the build to read the newest generation. If syncs run during builds, raise output.keepGenerations.",
    },
  );
}

function pinnedGeneration(folder: string): number | undefined {
  const pinned = pinnedGenerations();
  return Object.hasOwn(pinned, folder) ? pinned[folder] : undefined;
}

function pinnedGenerations(): Record<string, number> {
  const text = process.env[variable] ?? "";
  if (text === "") return {};
  const pinned = parseAs(text, generationsByFolder);
  if (pinned === undefined) throw broken(text);
  return pinned;
}

function broken(text: string): OffprintError {
  return new OffprintError(
    "USAGE",
    `The environment variable ${variable} is ${JSON.stringify(text.slice(0, 200))}, which does not name generations by folder.`,
    { hint: `Unset ${variable}: the first process of a build sets it, like {"/site/output":42}.` },
  );
}

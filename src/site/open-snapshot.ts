import { builtIndexFile, newContentIndex } from "../content/tree/content-index.js";
import type { ShapingConfig } from "../content/tree/content-settings.js";
import { expectedContent } from "../content/tree/is-content-current.js";
import { OffprintError } from "../lib/errors.js";
import type { Manifest } from "../snapshot/manifest.js";
import { openReadable, type ReadableSnapshot } from "../snapshot/open-readable.js";
import { openFileStore } from "../snapshot/store/file-store.js";
import { checkOptions, checkText, openOptions } from "./check-options.js";
import { createGenerationSnapshot } from "./generation-snapshot.js";
import { generationManifest, pinnedManifest } from "./pinned-generation.js";
import type { OpenSnapshotOptions, Snapshot } from "./snapshot.js";
import { type SnapshotSettings, snapshotSettings } from "./snapshot-settings.js";

/** Opens the snapshot of the configuration's output folder. */
export async function openSnapshot(options: OpenSnapshotOptions): Promise<Snapshot>;
/**
 * Opens a snapshot for site code: stories with relations, links, assets and URLs, as in the content
 * tree. The first call pins the generation of the build; later calls, and processes and workers
 * started later, read the same one, even if a sync commits during the build.
 * @param dir the output folder, or a store address, `s3://bucket/prefix`; default: `output.store`
 *   or `output.dir` of `sync.config.yaml` in the working folder. Needs no token of the space
 * @throws OffprintError `SNAPSHOT_MISSING` if there is no snapshot, or the generation is no longer
 *   kept; `CONFIG_MISSING`, `CONFIG_INVALID`, `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`, `USAGE`. For a
 *   store also `STORE_REFUSED`, `STORE_MISSING`, `STORE_CREDENTIALS`, `STORE_BAD_ANSWER`, and
 *   `STORE_UNREACHABLE` unless this machine has all of the last known generation, which is then
 *   read with a process warning
 */
export async function openSnapshot(dir?: string, options?: OpenSnapshotOptions): Promise<Snapshot>;
export async function openSnapshot(
  first?: string | OpenSnapshotOptions,
  second?: OpenSnapshotOptions,
): Promise<Snapshot> {
  const dir = typeof first === "object" ? undefined : first;
  const options = (typeof first === "object" ? first : second) ?? {};
  if (dir !== undefined) checkText("openSnapshot()", dir);
  checkOptions("openSnapshot()", options, openOptions);
  const settings = await snapshotSettings(dir, options);
  const snapshot = openReadable(settings.config.output, { onUnreachable: warnUnreachable });
  const manifest = await manifestOf(snapshot, settings, options.generation);
  // Opening a half-written index detects the damage.
  const cache = openFileStore(settings.dir, { rebuildable: true });
  return createGenerationSnapshot({ store: snapshot.store, cache, manifest, settings, options });
}

/**
 * Pins the newest generation without opening it: for a main process that starts workers before it
 * reads anything.
 * @returns the generation pinned by this or an earlier call; with `NODE_ENV` `development`, the
 *   newest one without pinning it
 * @throws as {@link openSnapshot}
 */
export async function pinGeneration(
  dir?: string,
  options: Pick<OpenSnapshotOptions, "config" | "generation" | "store"> = {},
): Promise<number> {
  return (await pinned(dir, options)).manifest.generation;
}

/**
 * The file with which a built site names the generation that it shows: what `offprint check
 * --built` and `offprint status --since` read. Adapters write it. Pins as {@link pinGeneration}.
 * @returns the name of the file, at the top of the site, and its text
 * @throws as {@link openSnapshot}
 */
export async function buildInfo(
  dir?: string,
  options: Pick<OpenSnapshotOptions, "config" | "generation" | "store"> = {},
): Promise<{ fileName: string; source: string }> {
  const { config, manifest } = await pinned(dir, options);
  return { fileName: builtIndexFile, source: JSON.stringify(newContentIndex(expectedContent(config, manifest))) };
}

/** Options that override the configuration do not count: the site's code has them. */
async function pinned(
  dir: string | undefined,
  { config, store, generation }: Pick<OpenSnapshotOptions, "config" | "generation" | "store">,
): Promise<{ config: ShapingConfig; manifest: Manifest }> {
  const settings = await snapshotSettings(dir, {
    ...(config === undefined ? {} : { config }),
    ...(store === undefined ? {} : { store }),
  });
  const snapshot = openReadable(settings.config.output, { onUnreachable: warnUnreachable });
  return { config: settings.config, manifest: await manifestOf(snapshot, settings, generation) };
}

async function manifestOf(
  snapshot: ReadableSnapshot,
  { address }: SnapshotSettings,
  generation: OpenSnapshotOptions["generation"] = process.env.NODE_ENV === "development" ? "latest" : "pinned",
): Promise<Manifest> {
  if (typeof generation === "number") return generationManifest(snapshot, generation);
  const manifest = await (generation === "latest" ? snapshot.current() : pinnedManifest(snapshot, address));
  if (manifest !== undefined) return manifest;
  throw new OffprintError("SNAPSHOT_MISSING", `There is no snapshot in ${address}.`, {
    hint: "Run `offprint sync` first. As the site's `prebuild` script, it runs before every build.",
  });
}

/** Generations already warned about: a build opens a snapshot many times. */
const told = new Set<string>();

function warnUnreachable({ message }: OffprintError, { generation, committedAt, checksum }: Manifest): void {
  if (told.has(checksum)) return;
  told.add(checksum);
  process.emitWarning(
    `${message} Reading generation ${generation} of ${committedAt}, which is on this machine.`,
    "OffprintWarning",
    "STORE_UNREACHABLE",
  );
}

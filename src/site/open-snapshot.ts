import { OffprintError } from "../lib/errors.js";
import type { Manifest } from "../snapshot/manifest.js";
import { openReadable, type ReadableSnapshot } from "../snapshot/open-readable.js";
import { openFileStore } from "../snapshot/store/file-store.js";
import { checkOptions, checkText, openOptions } from "./check-options.js";
import { createGenerationSnapshot } from "./generation-snapshot.js";
import { generationManifest, pinnedManifest } from "./pinned-generation.js";
import type { OpenSnapshotOptions, Snapshot } from "./snapshot.js";
import { type SnapshotSettings, snapshotSettings } from "./snapshot-settings.js";

/** The current or pinned generation of an output folder, see the other signature; the folder is that of the configuration. */
export async function openSnapshot(options: OpenSnapshotOptions): Promise<Snapshot>;
/**
 * Opens a snapshot for reading by site code: stories with their relations, links, assets and URLs, as the content tree
 * has them. The first call notes which generation the build reads; all others, in processes and workers that are
 * started later too, read the same one, whatever a sync commits meanwhile.
 *
 * @param dir the output folder, or the address of a store, `s3://bucket/prefix`; default: `output.store` or `output.dir` of
 * `sync.config.yaml` in the working folder. No token of the space is needed
 * @throws OffprintError `SNAPSHOT_MISSING` where there is no snapshot, or the generation is not kept any more;
 * `CONFIG_MISSING`, `CONFIG_INVALID`, `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`, `USAGE`. Of a store also `STORE_REFUSED`,
 * `STORE_MISSING`, `STORE_CREDENTIALS`, `STORE_BAD_ANSWER`; `STORE_UNREACHABLE` where the generation that was seen last is not
 * whole on this machine: where it is, it is read, and the process warns
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
  // Where an index lies half written, the next one that opens it notices.
  const cache = openFileStore(settings.dir, { rebuildable: () => true });
  return createGenerationSnapshot({ store: snapshot.store, cache, manifest, settings, options });
}

/**
 * Notes the generation that this build reads, without opening it: for the main process of a build that starts workers
 * before it reads anything.
 *
 * @returns the generation that was noted, by this call or an earlier one; where `NODE_ENV` is `development` none is
 * noted, and the newest one is returned
 * @throws as {@link openSnapshot}
 */
export async function pinGeneration(
  dir?: string,
  options: Pick<OpenSnapshotOptions, "config" | "generation" | "store"> = {},
): Promise<number> {
  const settings = await snapshotSettings(dir, options);
  const snapshot = openReadable(settings.config.output, { onUnreachable: warnUnreachable });
  return (await manifestOf(snapshot, settings, options.generation)).generation;
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
    hint: "Run `offprint sync` first: as the `prebuild` script of the site, it runs before every build.",
  });
}

/** Generations that this process has warned of: a build opens a snapshot many times. */
const told = new Set<string>();

/** Warns, once for each generation, that what is read of a store is what this machine has of it. */
function warnUnreachable({ message }: OffprintError, { generation, committedAt, checksum }: Manifest): void {
  if (told.has(checksum)) return;
  told.add(checksum);
  process.emitWarning(
    `${message} Reading generation ${generation} of ${committedAt}, which is on this machine.`,
    "OffprintWarning",
    "STORE_UNREACHABLE",
  );
}

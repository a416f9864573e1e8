import type { ShardEntry } from "./manifest.js";
import { partKey } from "./part-kinds.js";

/** Names of parts and files (docs/snapshot-format.md), relative to the output folder, with `/`. */

/** The pointer: a copy of the newest manifest, replaced by one rename. */
export const manifestFile = "manifest.json";
/** Confirmed cv, check times and the log of runs. Without it, the next sync sweeps once. */
export const stateFile = ".state.json";
/** The edits of the embedded demo space; without it, the space is as published. */
export const demoEditsFile = ".demo-edits.json";
export const attributesFile = ".gitattributes";
/** Files of a running sync; readers ignore them. */
export const workFolder = ".work";
export const temporaryFolder = `${workFolder}/tmp`;
export const stageFile = `${workFolder}/stage.json`;
/** The assets downloaded for a generation that is not yet committed. */
export const assetJournalFile = `${workFolder}/assets.json`;
/** Derived indexes for finding stories; may be deleted at any time. */
export const storyIndexFolder = `${workFolder}/story-index`;
/** The content of each shard's stories, from `offprint types`; can be made again. */
export const contentModelsFile = `${workFolder}/content-models`;
/** The findings of `offprint check` in each shard's stories; can be made again. */
export const checkFactsFile = `${workFolder}/check-facts`;
/** The same for shards that are not in {@link checkFactsFile}. */
export const recentCheckFactsFile = `${checkFactsFile}-recent`;
/** Differences between the upstream's records and the interface, from the last check. */
export const recordShapeFile = `${workFolder}/record-shape.json`;
/** Counts and findings of the last two builds that `offprint check --built` saw. */
export const builtNoteFile = `${workFolder}/built.json`;
/** Stories that each shard refers to (`source.include.related`); can be made again. */
export const relatedNotesFile = `${workFolder}/related`;
/** The inputs of the last written types file. */
export const typesNoteFile = `${workFolder}/types`;
/** Last seen manifests of a store: used with the cache while the store is unreachable. */
export const seenFolder = `${workFolder}/seen`;
export const seenStoreFile = `${seenFolder}/store`;
export const seenPointer = `${seenFolder}/${manifestFile}`;
/** The source and state of the last pull. Without it, a pull reads the whole pointer. */
export const pulledFile = `${workFolder}/pulled.json`;
/** Since when `offprint watch` has parked the space, and why. */
export const parkedFile = `${workFolder}/parked.json`;
export const lockFile = `${workFolder}/lock`;
/** In a bucket: temporary objects of a storage trial. */
export const trialFolder = ".offprint-trial";
/** In a bucket: the time of the last trial. */
export const trialResultFile = `${trialFolder}/result.json`;
/** The last lease of this folder, if the snapshot is in a bucket. */
export const leaseNoteFile = `${workFolder}/lease.json`;
/** The local cache of a bucket, unless `s3.cache.dir` is set. */
export const cacheFolder = ".cache";
/** In the cache: the bucket's storage was tried and found safe. */
export const trialNoteFile = ".tried.json";
/** In a bucket: who may write, and the contents of {@link stateFile}. */
export const leaseFile = ".lease.json";
/** A folder of cursor files for each consumer, and {@link supersededFile}. */
export const consumersFolder = ".consumers";
/** When the generations that cursors keep were superseded. */
export const supersededFile = `${consumersFolder}/superseded.json`;
export const generationsFolder = "snapshot/generations";
/** Shards, and below {@link generationsFolder} the manifests. */
export const snapshotFolder = "snapshot";
export const contentFolder = "content";
export const assetsFolder = "assets";

/** `snapshot/generations/00000042.json`: creating this file is the commit. */
export function generationFile(generation: number): string {
  return `${generationsFolder}/${String(generation).padStart(8, "0")}.json`;
}

/** `.work/seen/00000042.json`: a store generation's manifest. */
export function seenGeneration(generation: number): string {
  return `${seenFolder}/${String(generation).padStart(8, "0")}.json`;
}

/** The generation number of a file in {@link generationsFolder}, or undefined. */
export function generationOf(name: string): number | undefined {
  const match = /^snapshot\/generations\/(\d{8,})\.json$/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** `.consumers/for-search`: a consumer's folder, with a name that is safe on every disk. */
export function consumerFolder(consumer: string): string {
  return `${consumersFolder}/for-${consumer.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}`;
}

/** `.consumers/for-search/cursor.json`: the last generation that the consumer has processed. */
export function cursorFile(consumer: string): string {
  return `${consumerFolder(consumer)}/cursor.json`;
}

/** The consumer whose cursor this file in {@link consumersFolder} is, or undefined. */
export function consumerOf(name: string): string | undefined {
  const [, folded] = /^\.consumers\/for-([a-z0-9=_-]+)\/cursor\.json$/.exec(name) ?? [];
  return folded?.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Files of a running hand-over: its lock, its changes, and its process; and how often its command has failed. */
export function handOverFiles(
  consumer: string,
): Record<"folder" | "lock" | "changes" | "running" | "failures", string> {
  const folder = `${workFolder}${consumerFolder(consumer).slice(consumersFolder.length)}`;
  return {
    folder,
    lock: `${folder}/lock`,
    changes: `${folder}/changes.ndjson`,
    running: `${folder}/running.json`,
    failures: `${folder}/failures.json`,
  };
}

/** The older generations among these names of damaged items. */
export function damagedGenerations(names: readonly string[], current: number): number[] {
  return names.flatMap((name) => generationOf(name) ?? []).filter((generation) => generation < current);
}

/** `published/de`, or `draft@2001/de` for release 2001. */
export function editionName(version: string, release: string | null, language: string): string {
  return `${version}${release === null ? "" : `@${release}`}/${language}`;
}

/** Part names: the keys of `parts` in the manifest. */
export const parts = {
  stories: (edition: string) => `stories/${edition}`,
  variants: (edition: string) => `variants/${edition}`,
  links: (version: string) => `links/${version}`,
  datasources: "datasources",
  /** A datasource's plain values, or those of one dimension. */
  entries: (datasourceId: number, dimensionId: number | null) =>
    dimensionId === null ? `entries/${datasourceId}` : `entries/${datasourceId}/${dimensionId}`,
  tags: (version: string) => `tags/${version}`,
  experiments: "experiments",
  /** The list of taxonomies. */
  taxonomies: "taxonomies",
  /** Each taxonomy with all its terms. */
  terms: "terms",
  space: "space",
  assets: "assets",
  /** Asset records from `resolve_assets`. */
  assetMetadata: "asset-metadata",
} as const;

/** `snapshot/stories/published/de/0110.<hash>.json`; without keys `snapshot/tags/published.<hash>.json`. */
export function shardFile(part: string, shard: Pick<ShardEntry, "prefix" | "hash">): string {
  const short = shard.hash.slice(0, 32);
  if (partKey(part) === null) return `${snapshotFolder}/${part}.${short}.json`;
  return `${snapshotFolder}/${part}/${shard.prefix === "" ? "all" : shard.prefix}.${short}.json`;
}

/** `.work/story-index/stories/published/de/<hash>`: a derived index, by its inputs' hash. */
export function storyIndexFile(part: string, hash: string): string {
  return `${storyIndexFolder}/${part}/${hash.slice(0, 32)}`;
}

/** `assets/<hash>/<name>`: the file of an asset, addressed by content. */
export function assetFile(hash: string, name: string): string {
  return `${assetsFolder}/${hash.slice(0, 32)}/${name}`;
}

const sharedFolders = [snapshotFolder, assetsFolder, consumersFolder];

/** Which of these names are in a shared bucket. */
export const sharedLayout = {
  pointer: manifestFile,
  state: stateFile,
  generations: generationsFolder,
  /** Whether a file or a folder's files are in the bucket. */
  isShared: (name: string) =>
    name === manifestFile || sharedFolders.some((folder) => name === folder || name.startsWith(`${folder}/`)),
  /** Whether a shared file may be written without the lease: a cursor belongs to its consumer. */
  isUnguarded: (name: string) => consumerOf(name) !== undefined,
  hashOf: hashInName,
} as const;

/** The hash prefix in the name of a shard or an asset; undefined for other names. */
function hashInName(name: string): string | undefined {
  if (name.startsWith(`${generationsFolder}/`)) return undefined;
  return /^(?:snapshot\/.+\.([0-9a-f]{32})\.json|assets\/([0-9a-f]{32})\/[^/]+)$/
    .exec(name)
    ?.slice(1)
    .find((hash) => hash !== undefined);
}

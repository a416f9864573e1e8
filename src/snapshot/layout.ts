import type { ShardEntry } from "./manifest.js";
import { partKey } from "./part-kinds.js";

/**
 * The one place that spells the names of the snapshot: its parts and its files (docs/snapshot-format.md).
 * Names are relative to the output folder, with `/` between segments.
 */

/** The pointer: a copy of the newest manifest, replaced by one rename. */
export const manifestFile = "manifest.json";
/** Confirmed cv, when each part was checked, the log of runs; losing it costs one sweep. */
export const stateFile = ".state.json";
/** The edits of the embedded demo space; without the file it is as it was published. */
export const demoEditsFile = ".demo-edits.json";
export const attributesFile = ".gitattributes";
/** Files of a running sync, which no reader opens. */
export const workFolder = ".work";
/** Incomplete files. */
export const temporaryFolder = `${workFolder}/tmp`;
export const stageFile = `${workFolder}/stage.json`;
/** The list of assets that were fetched for a generation that is not committed yet. */
export const assetJournalFile = `${workFolder}/assets.json`;
/** What readers derive from parts of stories, to find stories without reading them; may be deleted at any time. */
export const storyIndexFolder = `${workFolder}/story-index`;
/** What the stories of each shard contain, as `offprint types` found it; it can be made again. */
export const contentModelsFile = `${workFolder}/content-models`;
/** What `offprint check` found in the stories of each shard; it can be made again. */
export const checkFactsFile = `${workFolder}/check-facts`;
/** The same of the shards that differ from those of {@link checkFactsFile}. */
export const recentCheckFactsFile = `${checkFactsFile}-recent`;
/** Where the upstream's records differ from the interface, as the last check found it. */
export const recordShapeFile = `${workFolder}/record-shape.json`;
/** Which stories those of each shard name, as a sync found it (`source.include.related`); it can be made again. */
export const relatedNotesFile = `${workFolder}/related`;
/** What the file of types was written from last. */
export const typesNoteFile = `${workFolder}/types`;
/** Manifests of a store, as this machine saw them last: what is read of its cache while the store cannot be reached. */
export const seenFolder = `${workFolder}/seen`;
/** Of which store they are. */
export const seenStoreFile = `${seenFolder}/store`;
/** The pointer among them. */
export const seenPointer = `${seenFolder}/${manifestFile}`;
/** Which state of which source the current generation was pulled from; without it the source's pointer is read whole. */
export const pulledFile = `${workFolder}/pulled.json`;
export const lockFile = `${workFolder}/lock`;
/** In a bucket: objects of a trial of its storage, which removes them. */
export const trialFolder = ".offprint-trial";
/** In a bucket: that its storage was tried, and when. */
export const trialResultFile = `${trialFolder}/result.json`;
/** Which lease this folder had last, where the snapshot lies in a bucket. */
export const leaseNoteFile = `${workFolder}/lease.json`;
/** What is kept of a bucket on this machine, unless `s3.cache.dir` says where. */
export const cacheFolder = ".cache";
/** In the cache: that the storage of the bucket was tried, and found safe. */
export const trialNoteFile = ".tried.json";
/** In a bucket: who may write, and what {@link stateFile} holds in a folder. */
export const leaseFile = ".lease.json";
/** What consumers have dealt with: a folder for each of them, beside {@link supersededFile}. */
export const consumersFolder = ".consumers";
/** When the generations that cursors hold back were superseded. */
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

/** `.work/seen/00000042.json`: the manifest of a generation of a store. */
export function seenGeneration(generation: number): string {
  return `${seenFolder}/${String(generation).padStart(8, "0")}.json`;
}

/** The generation number of a file in {@link generationsFolder}; undefined for any other name. */
export function generationOf(name: string): number | undefined {
  const match = /^snapshot\/generations\/(\d{8,})\.json$/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** `.consumers/for-search`: the folder of a consumer, whose name no disk mistakes for another one or for a device. */
export function consumerFolder(consumer: string): string {
  return `${consumersFolder}/for-${consumer.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}`;
}

/** `.consumers/for-search/cursor.json`: which generation the consumer has dealt with last. */
export function cursorFile(consumer: string): string {
  return `${consumerFolder(consumer)}/cursor.json`;
}

/** The consumer that a file in {@link consumersFolder} is the cursor of; undefined for any other file. */
export function consumerOf(name: string): string | undefined {
  const [, folded] = /^\.consumers\/for-([a-z0-9=_-]+)\/cursor\.json$/.exec(name) ?? [];
  return folded?.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Files of a hand-over that is under way: its lock, what is handed over, and which process runs. */
export function handOverFiles(consumer: string): { folder: string; lock: string; changes: string; running: string } {
  const folder = `${workFolder}${consumerFolder(consumer).slice(consumersFolder.length)}`;
  return {
    folder,
    lock: `${folder}/lock`,
    changes: `${folder}/changes.ndjson`,
    running: `${folder}/running.json`,
  };
}

/** Of names of what is damaged, the generations before the current one. */
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
  /** Entries of a datasource: its plain values, or those of one dimension. */
  entries: (datasourceId: number, dimensionId: number | null) =>
    dimensionId === null ? `entries/${datasourceId}` : `entries/${datasourceId}/${dimensionId}`,
  tags: (version: string) => `tags/${version}`,
  experiments: "experiments",
  space: "space",
  assets: "assets",
  /** The records of assets that the upstream gives with `resolve_assets`. */
  assetMetadata: "asset-metadata",
} as const;

/**
 * The file of a shard: `snapshot/stories/published/de/0110.<hash>.json`, `snapshot/links/published/all.<hash>.json`;
 * of an unkeyed part: `snapshot/tags/published.<hash>.json`, `snapshot/space.<hash>.json`.
 */
export function shardFile(part: string, shard: Pick<ShardEntry, "prefix" | "hash">): string {
  const short = shard.hash.slice(0, 32);
  if (partKey(part) === null) return `${snapshotFolder}/${part}.${short}.json`;
  return `${partFolder(part)}/${shard.prefix === "" ? "all" : shard.prefix}.${short}.json`;
}

/** The folder with the files of a keyed part, of every generation that is kept. */
function partFolder(part: string): string {
  return `${snapshotFolder}/${part}`;
}

/** `.work/story-index/stories/published/de/<hash>`: the derived index of a part, by the hash of what it is derived from. */
export function storyIndexFile(part: string, hash: string): string {
  return `${storyIndexFolder}/${part}/${hash.slice(0, 32)}`;
}

/** `assets/<hash>/<name>`: the file of an asset, addressed by content. */
export function assetFile(hash: string, name: string): string {
  return `${assetsFolder}/${hash.slice(0, 32)}/${name}`;
}

const sharedFolders = [snapshotFolder, assetsFolder, consumersFolder];

/** What of the names above lies in a bucket where machines share one, and what stays in the output folder. */
export const sharedLayout = {
  pointer: manifestFile,
  state: stateFile,
  generations: generationsFolder,
  /** Whether a file, or the files of a folder, lie in the bucket. */
  isShared: (name: string) =>
    name === manifestFile || sharedFolders.some((folder) => name === folder || name.startsWith(`${folder}/`)),
  /** Whether a shared file is written without the right to write the snapshot: a cursor belongs to its consumer. */
  isUnguarded: (name: string) => consumerOf(name) !== undefined,
  hashOf: hashInName,
} as const;

/** The beginning of the hash of a file's bytes, as a shard or an asset has it in its name; undefined for any other. */
function hashInName(name: string): string | undefined {
  if (name.startsWith(`${generationsFolder}/`)) return undefined;
  return /^(?:snapshot\/.+\.([0-9a-f]{32})\.json|assets\/([0-9a-f]{32})\/[^/]+)$/
    .exec(name)
    ?.slice(1)
    .find((hash) => hash !== undefined);
}

import type { Config, ContentTarget } from "../../config/config.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { StoryIndexes } from "../../snapshot/reader/open-reader.js";
import type { Reader, ShardBytes } from "../../snapshot/reader/reader.js";
import type { FieldUses } from "../model/field-use.js";
import type { StoriesFile } from "./plan-edition.js";
import type { FileList, PlannedFile, RenderedFile } from "./rendering.js";

/** The data that a render thread starts with. */
export interface RenderOrder {
  config: Config;
  target: ContentTarget;
  uses: FieldUses;
  manifest: Manifest;
  /** Absolute path of the output folder that the thread reads on demand, or the shards of each part in shared memory. */
  source: string | ReadonlyMap<string, readonly ShardBytes[]>;
  /** The story indexes that there are, in shared memory. */
  indexes: StoryIndexes;
}

/** Some files of one edition, to be rendered in one go. */
export interface RenderTask {
  edition: string;
  files: readonly StoriesFile[];
}

/** The rendered files of a task, their bytes concatenated. */
export interface TaskAnswer {
  bytes: Uint8Array;
  /** {@link AnsweredFile} of each as JSON: one text crosses in a fraction of the time that thousands of small ones take. */
  files: string;
}

/** A file of a task, without its bytes. */
export interface AnsweredFile extends Omit<RenderedFile, "bytes" | "outline"> {
  /** How many bytes are its own; undefined when it could not be rendered. */
  length?: number | undefined;
  /** The same of the file beside it, whose bytes follow. */
  outlineLength?: number | undefined;
}

/**
 * Moves the shards of a reader into memory that threads share, one shard at a time. The reader answers from there
 * afterwards: nothing is in memory twice.
 */
export function sharedShards(reader: Reader): ReadonlyMap<string, readonly ShardBytes[]> {
  const names = Object.keys(reader.manifest.parts);
  return new Map(names.map((name) => [name, reader.shards(name).map(moved)]));
}

function moved(shard: ShardBytes): ShardBytes {
  for (const [name, value] of Object.entries(shared(shard))) {
    // Not assigned: a shard on demand has getters.
    Object.defineProperty(shard, name, { value, enumerable: true, configurable: true });
  }
  return shard;
}

function shared({ bytes, starts, ends }: ShardBytes): Pick<ShardBytes, "bytes" | "starts" | "ends"> {
  if (bytes.buffer instanceof SharedArrayBuffer) return { bytes, starts, ends };
  const memory = new SharedArrayBuffer(starts.byteLength + ends.byteLength + bytes.length);
  const places = {
    starts: new Uint32Array(memory, 0, starts.length),
    ends: new Uint32Array(memory, starts.byteLength, ends.length),
    bytes: Buffer.from(memory, starts.byteLength + ends.byteLength, bytes.length),
  };
  places.starts.set(starts);
  places.ends.set(ends);
  places.bytes.set(bytes);
  return places;
}

/**
 * A task ends when it has this many stories, or bytes of them; a file is never divided. Pages of its
 * stories join it, up to so many bytes of these stories: a thread resolves each story once for both files.
 */
const task = { stories: 64, bytes: 1 << 19, pageBytes: 1 << 20 };

/** A task with the files that it is made of, and their places in the list of all. */
export interface PlannedTask {
  order: RenderTask;
  files: PlannedFile[];
  places: number[];
}

/** Puts those of the files that show stories into tasks, in their order. */
export function* plannedTasks(files: FileList, places: Iterable<number>, reader: Reader): Generator<PlannedTask> {
  let room = { stories: 0, bytes: 0, pageBytes: 0 };
  let shown = new Set<string>();
  let last: (PlannedTask & { order: { files: StoriesFile[] } }) | undefined;
  for (const place of places) {
    const file = files.at(place)!;
    if (file.stories === undefined) continue;
    const { edition, uuids } = file.stories;
    const bytes = uuids.reduce((sum, uuid) => sum + (reader.storyDigest(edition, uuid)?.bytes ?? 0), 0);
    const isShown = last?.order.edition === edition && uuids.every((uuid) => shown.has(uuid)) && room.pageBytes > 0;
    const isFull = last?.order.edition !== edition || room.stories <= 0 || room.bytes <= 0;
    if (last === undefined || (isFull && !isShown)) {
      if (last !== undefined) yield last;
      last = { order: { edition, files: [] }, files: [], places: [] };
      room = { ...task };
      shown = new Set();
    }
    const lines = file.lines && { basis: file.lines.basis, weight: file.lines.weight };
    last.order.files.push({ path: file.path, uuids, lines });
    last.files.push(file);
    last.places.push(place);
    if (isShown) room.pageBytes -= bytes;
    else {
      room.stories -= uuids.length;
      room.bytes -= bytes;
      for (const uuid of uuids) shown.add(uuid);
    }
  }
  if (last !== undefined) yield last;
}

import type { Config, ContentTarget } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Reader, ShardBytes } from "../../snapshot/reader/reader.js";
import type { LineNotes } from "./file-note.js";

/** What a thread that renders is given when it starts. */
export interface RenderOrder {
  config: Config;
  target: ContentTarget;
  manifest: Manifest;
  /** The shards of each part, in memory that threads share. */
  shards: ReadonlyMap<string, readonly ShardBytes[]>;
}

/** Some files of one edition, to be rendered in one go. */
export interface RenderTask {
  edition: string;
  files: readonly TaskFile[];
}

interface TaskFile {
  path: string;
  /** The stories that it shows: one in a Markdown file. */
  uuids: readonly string[];
  /** For a file with one story a line. */
  lines?: Pick<LineNotes, "basis" | "weight"> | undefined;
}

/** The files of a task, rendered: their bytes stand one behind the other. */
export interface TaskAnswer {
  bytes: Uint8Array;
  /** {@link AnsweredFile} of each as JSON: one text crosses in a fraction of the time that thousands of small ones take. */
  files: string;
}

/** A file of a task, without its bytes. */
export interface AnsweredFile {
  /** How many bytes are its own; undefined when it could not be rendered. */
  length?: number | undefined;
  /** Hexadecimal SHA-256 of these bytes. */
  hash: string;
  keys: readonly string[];
  problems: readonly Problem[];
  lines?: LineNotes | undefined;
  /** The stories among its own whose rendering came to an end. */
  ended: readonly string[];
}

/**
 * Moves the shards of a reader into memory that threads share, one shard at a time. The reader answers from there
 * afterwards: nothing is in memory twice.
 */
export function sharedShards(reader: Reader): RenderOrder["shards"] {
  const names = Object.keys(reader.manifest.parts);
  return new Map(names.map((name) => [name, reader.shards(name).map((shard) => Object.assign(shard, shared(shard)))]));
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

import type { Version } from "../config/config.js";
import type { Timestamp } from "../contract/records.js";

/** The manifest format that this program writes; a newer one is refused, an older one is read. */
export const manifestFormat = 1;

/**
 * How reliable a reading is. `exact`: everything that the index shows is of one cv. `stable`: read twice with the same
 * result, for drafts and releases, which no cv pins. `interval`: read while the space kept changing; every record is as
 * the space served it at some moment of {@link Interval}.
 */
export type Level = "exact" | "stable" | "interval";

/**
 * What a reading of level `interval` covers, as cvs: the one that was current when it began, and the one when it ended.
 * null where the upstream has none. What was there throughout is in the edition, what was gone before it began is not.
 */
export interface Interval {
  from: number | null;
  to: number | null;
}

/** One file of a part: all records whose key begins with the bits of `prefix`. */
export interface ShardEntry {
  /** Binary digits of the key prefix ("" holds every key); a part without keys has one shard with prefix "". */
  prefix: string;
  /** Hexadecimal SHA-256 of the file's bytes. */
  hash: string;
  /** Number of records. */
  records: number;
  /** Size of the file in bytes. */
  bytes: number;
}

/** A named list of records. Without shards: it was read and is empty. */
export interface PartEntry {
  records: number;
  /** Sorted by prefix. */
  shards: ShardEntry[];
}

/** One reading of the stories, and how it was read. */
export interface EditionEntry {
  /** `published/default`, `draft/de`, `draft@2001/default` (release 2001). */
  name: string;
  version: Version;
  release: string | null;
  language: string;
  /** The language that untranslated fields were read in, as `fallback_lang` spells it; without it, the default one. */
  fallback?: string;
  level: Level;
  /** With level `interval`, and only then. */
  interval?: Interval;
  /** The cv of the last clean round, or the one that the interval ends at; null when the upstream has none. */
  cv: number | null;
  /** Every record was confirmed at this cv or a later one. */
  confirmedSince: number | null;
  /** Hash of all settings that shape this edition. Another hash: the edition is read in full. */
  settings: string;
  /** `links`: found through the links listing; `stories`: found by reading story pages. */
  index: "links" | "stories";
  /** Kinds of change that the index is known not to show. */
  blindTo: string[];
  newestPublishedAt: Timestamp | null;
  newestUpdatedAt: Timestamp | null;
}

/** Everything in one generation. Written once, never changed. */
export interface Manifest {
  format: number;
  generation: number;
  /** The generation that this one replaced; null for the first. */
  previous: number | null;
  space: {
    /** null when the upstream does not give it. */
    id: number | null;
    name: string | null;
    /** Origin that was read, without secrets; `demo:` for the embedded space. */
    source: string;
    /** Language codes beside the default language, as far as they are known. */
    languages: string[];
  };
  cv: number | null;
  /** The weakest level of all editions. */
  level: Level;
  startedAt: Timestamp;
  committedAt: Timestamp;
  editions: EditionEntry[];
  /** Part name → its shards. The names are spelled in snapshot/layout. */
  parts: Record<string, PartEntry>;
  /** Parts that were asked for and could not be read, with the reason. */
  notIncluded: { part: string; reason: string }[];
  /** True after a rollback: a sync keeps this generation until it is released. */
  held: boolean;
  /**
   * False from the commit until a sync at least 60 s later has looked once more at what it read: until then the levels
   * rest on what {@link assumedLagMs} says. The pointer (`manifest.json`) alone comes to say true. Absent where nothing is
   * expected to lag (`source.settle: 0`).
   */
  confirmed?: boolean;
  /**
   * How far the parts of the interface may have lagged behind one another while this was read without making a level
   * wrong, in milliseconds. Absent with {@link confirmed}.
   */
  assumedLagMs?: number;
  /** Hexadecimal SHA-256 of the canonical JSON of all other fields but those two, which change after the commit. */
  checksum: string;
}

/** A record of part `assets`: one URL in the content and its bytes. */
export interface AssetRecord {
  /** Hexadecimal SHA-256 of `url`; the part's key. */
  key: string;
  /** The original's absolute URL, without image service suffix. */
  url: string;
  /** Hexadecimal SHA-256 of the bytes; null while the asset could not be fetched. */
  hash: string | null;
  /** File name, safe on every disk; the file is `assets/<hash>/<name>`. */
  name: string;
  /** Media type, as far as the bytes show it. */
  type: string;
  bytes: number;
  /** How many records name it, of all editions. */
  uses: number;
  /** Of a picture whose address does not say its size: what its bytes say, in CSS pixels; absent where they say none. */
  width?: number | undefined;
  height?: number | undefined;
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Why it could not be fetched: `gone`, `not-allowed`, `failed`, `too-large`, or `left` (download is off). */
  missing?: "gone" | "not-allowed" | "failed" | "too-large" | "left";
  /**
   * HTTP status of the last answer when it could not be fetched. Together with `hash`: it is here, and gone upstream.
   */
  status?: number | undefined;
}

/** The record of part `space`: what three endpoints say about the space. */
export interface SpacePartRecord {
  me?: import("../contract/records.js").SpaceRecord;
  info?: import("../contract/records.js").SpaceInfoRecord;
  webhookEndpoints?: import("../contract/records.js").WebhookEndpointRecord[];
}

import type { Version } from "../config/config.js";
import type { Timestamp } from "../contract/records.js";

/** The format that this program writes. Refuses newer ones, reads older ones. */
export const manifestFormat = 1;

/**
 * How reliable a reading is. `exact`: everything in the index is of one cv. `stable`: read twice
 * with the same result. `interval`: each record was served at some moment of {@link Interval}.
 */
export type Level = "exact" | "stable" | "interval";

/**
 * The cvs when an `interval` reading began and ended; null if the upstream has none. Includes
 * whatever existed throughout; excludes whatever was deleted before it began.
 */
export interface Interval {
  from: number | null;
  to: number | null;
}

/** One file of a part: all records whose key begins with the bits of `prefix`. */
export interface ShardEntry {
  /** Binary digits of the key prefix; "" covers every key, and is used in parts without keys. */
  prefix: string;
  /** Hexadecimal SHA-256 of the file's bytes. */
  hash: string;
  records: number;
  bytes: number;
}

/** A named list of records. No shards: read, and empty. */
export interface PartEntry {
  records: number;
  /** Sorted by prefix. */
  shards: ShardEntry[];
}

/** One reading of the stories, and how it was made. */
export interface EditionEntry {
  /** `published/default`, `draft/de`, `draft@2001/default` (release 2001). */
  name: string;
  version: Version;
  release: string | null;
  language: string;
  /** The language of untranslated fields (`fallback_lang`); absent: the default language. */
  fallback?: string;
  level: Level;
  /** Only with level `interval`. */
  interval?: Interval;
  /** The cv of the last clean round, or at the interval's end; null if the upstream has none. */
  cv: number | null;
  /** The cv at or after which every record was confirmed. */
  confirmedSince: number | null;
  /** Hash of all settings that shape this edition. If it changes, the edition is read in full. */
  settings: string;
  /** `links`: found through the links listing; `stories`: found by reading story pages. */
  index: "links" | "stories";
  /** Kinds of change that the index does not show. */
  blindTo: string[];
  newestPublishedAt: Timestamp | null;
  newestUpdatedAt: Timestamp | null;
}

/** The contents of one generation. Written once, never changed. */
export interface Manifest {
  format: number;
  generation: number;
  /** The previous generation; null for the first. */
  previous: number | null;
  space: {
    /** null if the upstream does not provide it. */
    id: number | null;
    name: string | null;
    /** Origin that was read, without secrets; `demo:` for the embedded space. */
    source: string;
    /** Known language codes other than the default language. */
    languages: string[];
  };
  cv: number | null;
  /** The weakest level of the editions. */
  level: Level;
  startedAt: Timestamp;
  committedAt: Timestamp;
  editions: EditionEntry[];
  /** Part name → its shards. snapshot/layout defines the names. */
  parts: Record<string, PartEntry>;
  /** Requested parts that could not be read, with the reason. */
  notIncluded: { part: string; reason: string }[];
  /** True after a rollback: sync keeps this generation until it is released. */
  held: boolean;
  /**
   * False until a sync at least 60 s after the commit has read the changes again. Only the pointer
   * (`manifest.json`) changes to true. Absent if no lag is expected (`source.settle: 0`).
   */
  confirmed?: boolean;
  /**
   * Milliseconds by which the parts of the interface may have lagged behind each other without
   * making a level wrong. Absent with {@link confirmed}.
   */
  assumedLagMs?: number;
  /** Hexadecimal SHA-256 of the canonical JSON of all other fields except those two. */
  checksum: string;
}

/** Names the space in a message. */
export function spaceText({ space }: Manifest): string {
  return `space ${space.id ?? "of unknown id"}${space.name === null ? "" : ` (${space.name})`} from ${space.source}`;
}

/** A record of part `assets`: one URL in the content and its bytes. */
export interface AssetRecord {
  /** Hexadecimal SHA-256 of `url`; the part's key. */
  key: string;
  /** The original's absolute URL, without image service suffix. */
  url: string;
  /** Hexadecimal SHA-256 of the bytes; null until downloaded. */
  hash: string | null;
  /** File name, safe on every disk; the file is `assets/<hash>/<name>`. */
  name: string;
  /** Media type, detected from the bytes. */
  type: string;
  bytes: number;
  /** Number of records that use it, over all editions. */
  uses: number;
  /** In CSS pixels, for an image whose address has no size; absent if unknown. */
  width?: number | undefined;
  height?: number | undefined;
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** `left`: download is off. */
  missing?: "gone" | "not-allowed" | "failed" | "too-large" | "left";
  /** HTTP status of the last failed download. With `hash`: it is here, but deleted upstream. */
  status?: number | undefined;
}

/** The record of part `space`, from three endpoints. */
export interface SpacePartRecord {
  me?: import("../contract/records.js").SpaceRecord;
  info?: import("../contract/records.js").SpaceInfoRecord;
  webhookEndpoints?: import("../contract/records.js").WebhookEndpointRecord[];
}

/** The code of the space's base language. */
export const defaultLanguage = "default";

/** The edition with tags and alternates: the default language if it is read, else the first. */
export function baseEdition<E extends { language: string }>(editions: readonly E[]): E {
  const base = editions.find(({ language }) => language === defaultLanguage) ?? editions[0];
  if (base === undefined) throw new RangeError("there is no edition");
  return base;
}

import * as crypto from "node:crypto";
import type { ContentTypeSetting } from "../../config/config.js";
import type { DatasourceRecord, SparseLink } from "../../contract/records.js";
import { printExact } from "../../lib/json/exact-json.js";
import { parts } from "../layout.js";
import { allLinks, linkRowsOf } from "./link-rows.js";
import type { IndexedAddress, LinkRow, NotedReader, Reader } from "./reader.js";

/** A reader that notes what it is asked for, to compare the answers with another generation's. */
export interface NotingReader {
  read: NotedReader;
  /** Runs synchronous work; returns the keys that it, and work within it, asked for. */
  noted<T>(work: () => T): { result: T; keys: ReadonlySet<string> };
  /** A short hash of this generation's answer to a key; "" if there is none. Not remembered: each call reads it. */
  answer(key: string): string;
}

/** An answer that equals no other. */
const incomparable = "?";

/** Whether two results of {@link NotingReader.answer} are the same. */
export function isSameAnswer(answer: string, other: string | undefined): boolean {
  return answer === other && answer !== incomparable;
}

/** What is decided of a component from all its blocks: part of what pages that show it are made of. */
export interface KnownUse {
  fields: ReadonlyMap<string, "option" | "prose">;
  date: string | undefined;
}

/** What a noting reader knows besides the reader. */
interface NotingOptions {
  /** By component; default: nothing is decided. */
  uses?: ReadonlyMap<string, KnownUse>;
}

/**
 * Wraps a reader and the configuration's component settings (`content.types`). A story has two
 * keys, its reference (slug, name, content type) and its record, so editing a page does not change
 * pages that only link to it. Absences are noted too.
 */
export function notingReader(
  reader: Reader,
  settings: Readonly<Record<string, ContentTypeSetting>> = {},
  { uses = new Map() }: NotingOptions = {},
): NotingReader {
  const open: Set<string>[] = [];
  /** The rows of each version that were asked for last. */
  const rows = new Map<string, { range: string; found: readonly LinkRow[] }>();
  const linkRows = (version: string, range: string): readonly LinkRow[] => {
    const last = rows.get(version);
    if (last?.range === range) return last.found;
    const found = linkRowsOf(reader, version, range);
    rows.set(version, { range, found });
    return found;
  };
  const note = (...key: readonly (string | number | null)[]): void => {
    if (open.length === 0) return;
    const text = JSON.stringify(key);
    for (const keys of open) keys.add(text);
  };
  /** A question whose arguments are its key. */
  const noting = <A extends (string | number | null)[], T>(kind: string, ask: (...about: A) => T) => {
    return (...about: A): T => {
      note(kind, ...about);
      return ask(...about);
    };
  };
  return {
    read: {
      story(edition, uuid, numbers) {
        note("story", edition, uuid);
        return reader.story(edition, uuid, numbers);
      },
      storyBytes: noting("story", (edition, uuid) => reader.storyBytes(edition, uuid)),
      reference: noting("reference", (edition, uuid) => reader.reference(edition, uuid)),
      uuidBySlug: noting("slug", (edition, fullSlug) => reader.uuidBySlug(edition, fullSlug)),
      uuidByPath: noting("path", (edition, path) => reader.uuidByPath(edition, path)),
      asset: noting("asset", (url) => reader.asset(url)),
      assetMetadata(id, numbers) {
        note("asset-metadata", id);
        return reader.assetMetadata(id, numbers);
      },
      datasource: noting("datasource", (id) => datasource(reader, id)),
      entries: noting("entries", (datasourceId, dimensionId) => reader.entries(datasourceId, dimensionId)),
      componentSetting: noting("component-setting", (component) => componentSetting(settings, component)),
      fieldUse(component, field) {
        note("component-use", component);
        return uses.get(component)?.fields.get(field);
      },
      dateField: noting("component-use", (component) => uses.get(component)?.date),
      linkRows(version, range = allLinks) {
        note("links", version, range);
        return linkRows(version, range);
      },
      indexedAt: noting("row", (version, uuid) => indexedAddress(reader.link(version, uuid))),
      recorded(work) {
        const { result, keys } = noted(work);
        return { result, readAgain: () => addTo(open, keys) };
      },
    },
    noted,
    answer: (key) => answerOf({ reader, settings, linkRows, uses }, JSON.parse(key)),
  };

  function noted<T>(work: () => T): { result: T; keys: ReadonlySet<string> } {
    const keys = new Set<string>();
    open.push(keys);
    try {
      return { result: work(), keys };
    } finally {
      open.pop();
    }
  }
}

function addTo(sets: readonly Set<string>[], keys: Iterable<string>): void {
  for (const set of sets) for (const key of keys) set.add(key);
}

/** A key of one or two texts without characters that JSON escapes; others are not parsed. */
const simpleKey = /^\["([a-z]+)","([^"\\]*)"(?:,"([^"\\]*)")?\]$/;

export function storyKey(edition: string, uuid: string): string {
  return JSON.stringify(["story", edition, uuid]);
}

/** The common start of all keys for asset files; the URL follows as JSON. */
export const assetKeyStart = '["asset",';
/** The common start of all keys for how the fields of a component are used; the component follows as JSON. */
export const useKeyStart = '["component-use",';

/** The story of a record key; undefined for other keys. */
export function storyOfKey(key: string): { edition: string; uuid: string } | undefined {
  const [, kind, edition, uuid] = simpleKey.exec(key) ?? [];
  return kind === "story" && edition !== undefined && uuid !== undefined ? { edition, uuid } : undefined;
}

/** 132 bits of a SHA-256, for comparing. */
export function shortHash(content: string | Uint8Array): string {
  return crypto.hash("sha256", content, "base64url").slice(0, 22);
}

interface AnswerSources {
  reader: Reader;
  settings: Readonly<Record<string, ContentTypeSetting>>;
  linkRows(version: string, range: string): readonly LinkRow[];
  uses: ReadonlyMap<string, KnownUse>;
}

function answerOf(
  { reader, settings, linkRows, uses }: AnswerSources,
  [kind, first, second]: [string, string | number, string | number | null],
): string {
  switch (kind) {
    case "story":
      return reader.storyDigest(String(first), String(second))?.digest ?? "";
    case "reference":
      return hashOf(reader.reference(String(first), String(second)));
    case "slug":
      return hashOf(reader.uuidBySlug(String(first), String(second)));
    case "path":
      return hashOf(reader.uuidByPath(String(first), String(second)));
    case "row":
      return hashOf(indexedAddress(reader.link(String(first), String(second))));
    case "asset":
      return hashOf(assetFileOf(reader, String(first)));
    case "asset-metadata":
      return hashOf(reader.assetMetadata(Number(first), { exact: true }));
    case "datasource":
      return hashOf(datasource(reader, Number(first)));
    case "entries":
      return hashOf(reader.manifest.parts[parts.entries(Number(first), second as number | null)]?.shards);
    case "component-setting":
      return hashOf(sortedSetting(componentSetting(settings, String(first))));
    case "component-use":
      return hashOf(textOfUse(uses.get(String(first))));
    case "links":
      return hashOf(linkRows(String(first), String(second)));
    default:
      // A key of another program version: its noted answer equals nothing.
      return incomparable;
  }
}

function componentSetting(
  settings: Readonly<Record<string, ContentTypeSetting>>,
  component: string,
): ContentTypeSetting | undefined {
  return Object.hasOwn(settings, component) ? settings[component] : undefined;
}

function textOfUse(use: KnownUse | undefined): unknown {
  return use && [[...use.fields], use.date ?? null];
}

/** The order of keys in the configuration does not matter. */
function sortedSetting(setting: ContentTypeSetting | undefined): unknown {
  return setting === undefined ? undefined : Object.entries(setting).sort(([a], [b]) => (a < b ? -1 : 1));
}

function hashOf(value: unknown): string {
  if (value === undefined) return "";
  if (value instanceof Uint8Array) return shortHash(value);
  try {
    return shortHash(printExact(value));
  } catch (error) {
    // Nested too deeply to print: treat it as changed.
    if (error instanceof RangeError) return incomparable;
    throw error;
  }
}

/** Content shows only the file and size of an asset. */
function assetFileOf(reader: Reader, url: string): readonly unknown[] | undefined {
  const asset = reader.asset(url);
  return asset === undefined || asset.hash === null ? undefined : [asset.hash, asset.name, asset.width, asset.height];
}

function datasource(reader: Reader, id: number): DatasourceRecord | undefined {
  return reader.datasources()?.find((record) => record.id === id);
}

/** Where an index row says that its story is; undefined for a row without a slug. */
export function indexedAddress(row: SparseLink | undefined): IndexedAddress | undefined {
  if (row?.slug === undefined) return undefined;
  return { full_slug: row.slug, path: row.path ?? null, is_folder: row.is_folder ?? false };
}

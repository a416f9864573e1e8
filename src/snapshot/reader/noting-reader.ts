import * as crypto from "node:crypto";
import type { ContentTypeSetting } from "../../config/config.js";
import type { SparseLink } from "../../contract/records.js";
import { termPaths } from "../../contract/term-tree.js";
import { printExact } from "../../lib/json/exact-json.js";
import { parts } from "../layout.js";
import type { AssetRecord } from "../manifest.js";
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
  const setting = (component: string) => (Object.hasOwn(settings, component) ? settings[component] : undefined);
  const datasource = (id: number) => reader.datasources()?.find((record) => record.id === id);
  let paths: ReadonlyMap<string, string> | undefined;
  const termPath = (id: string) => {
    paths ??= termPaths(reader.terms() ?? []);
    return paths.get(id);
  };
  const indexedAt = (version: string, uuid: string) => indexedAddress(reader.link(version, uuid));
  const note = (...key: readonly unknown[]): void => {
    if (open.length === 0) return;
    const text = JSON.stringify(key);
    for (const keys of open) keys.add(text);
  };
  /** Asks, and notes a key of the kind and the first arguments. */
  const noting =
    <Asked extends unknown[], T>(kind: string, inKey: 1 | 2, ask: (...asked: Asked) => T) =>
    (...asked: Asked): T => {
      note(kind, ...asked.slice(0, inKey));
      return ask(...asked);
    };
  const answers: Readonly<Record<string, (first: string, second: string | number | null) => string>> = {
    story: (edition, uuid) => reader.storyDigest(edition, String(uuid))?.digest ?? "",
    reference: (edition, uuid) => hashOf(reader.reference(edition, String(uuid))),
    slug: (edition, slug) => hashOf(reader.uuidBySlug(edition, String(slug))),
    path: (edition, path) => hashOf(reader.uuidByPath(edition, String(path))),
    row: (version, uuid) => hashOf(indexedAt(version, String(uuid))),
    asset: (url) => hashOf(shownOfAsset(reader.asset(url))),
    "asset-metadata": (id) => hashOf(reader.assetMetadata(Number(id), { exact: true })),
    term: (id) => hashOf(termPath(id)),
    datasource: (id) => hashOf(datasource(Number(id))),
    entries: (id, dimension) =>
      hashOf(reader.manifest.parts[parts.entries(Number(id), dimension as number | null)]?.shards),
    "component-setting": (component) => hashOf(sortedSetting(setting(component))),
    "component-use": (component) => hashOf(textOfUse(uses.get(component))),
    links: (version, range) => hashOf(linkRows(version, String(range))),
  };
  return {
    read: {
      story: noting("story", 2, reader.story),
      storyBytes: noting("story", 2, reader.storyBytes),
      reference: noting("reference", 2, reader.reference),
      uuidBySlug: noting("slug", 2, reader.uuidBySlug),
      uuidByPath: noting("path", 2, reader.uuidByPath),
      asset: noting("asset", 1, reader.asset),
      assetMetadata: noting("asset-metadata", 1, reader.assetMetadata),
      termPath: noting("term", 1, termPath),
      datasource: noting("datasource", 1, datasource),
      entries: noting("entries", 2, reader.entries),
      componentSetting: noting("component-setting", 1, setting),
      fieldUse: noting("component-use", 1, (component, field) => uses.get(component)?.fields.get(field)),
      dateField: noting("component-use", 1, (component) => uses.get(component)?.date),
      linkRows(version, range = allLinks) {
        note("links", version, range);
        return linkRows(version, range);
      },
      indexedAt: noting("row", 2, indexedAt),
      recorded(work) {
        const { result, keys } = noted(work);
        return { result, readAgain: () => addTo(open, keys) };
      },
    },
    noted,
    answer(key) {
      const [kind, first, second]: [string, string | number, string | number | null] = JSON.parse(key);
      // A key of another program version: its noted answer equals nothing.
      return Object.hasOwn(answers, kind) ? answers[kind]!(String(first), second) : incomparable;
    },
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
export function shownOfAsset(asset: AssetRecord | undefined): readonly unknown[] | undefined {
  return asset === undefined || asset.hash === null ? undefined : [asset.hash, asset.name, asset.width, asset.height];
}

/** Where an index row says that its story is; undefined for a row without a slug. */
export function indexedAddress(row: SparseLink | undefined): IndexedAddress | undefined {
  if (row?.slug === undefined) return undefined;
  return { full_slug: row.slug, path: row.path ?? null, is_folder: row.is_folder ?? false };
}

import type { Config } from "../../config/config.js";
import { contentHash } from "../../lib/content-hash.js";
import { partsHash } from "../../snapshot/compare-stories.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";
import { contentStore, hasContent } from "./content-folder.js";
import { currentIndex, type ExpectedContent } from "./content-index.js";
import { contentSettings, type ShapingConfig } from "./content-settings.js";
import { hasDueFile } from "./due-files.js";
import { isRecordFile, RecordDamage, recordFile } from "./sorted-chunks.js";
import { filesOf, namedFiles, recordHead, wholeHead } from "./tree-record.js";

/** The state of the content tree. */
export interface ContentLook {
  /** True if the tree is whole, and of this generation and these settings. */
  isCurrent: boolean;
  /** Files that an earlier export wrote, where the tree claims to be current and lacks some of them. */
  lost?: LostFiles;
}

/**
 * True if the tree is whole, of this generation and these settings, and its export has finished. Looks at
 * `index.json`, the list of due files, and the files in the notes. A sync without news asks this and loads no renderer.
 */
export async function lookAtContent(config: Config, manifest: Manifest, look: HowToLook = {}): Promise<ContentLook> {
  const store = contentStore(config);
  const index = await currentIndex(store, expectedContent(config, manifest));
  if (index === undefined || (await hasDueFile(store))) return { isCurrent: false };
  const lost = await lostFiles(store, index, look.sizes);
  if (lost === undefined) return { isCurrent: false };
  return lost.count === 0 ? { isCurrent: true } : { isCurrent: false, lost };
}

/** How closely the files of a tree are looked at. */
export interface HowToLook {
  /** True if sizes are compared too: a look at each file, where something else may have put them there. */
  sizes?: boolean;
}

/** The same as one word: {@link ContentLook.isCurrent}; true if there is no content. */
export async function isContentCurrent(config: Config, manifest: Manifest): Promise<boolean> {
  return !hasContent(config) || (await lookAtContent(config, manifest)).isCurrent;
}

/** What the index of a tree holds that shows this generation in these settings. */
export function expectedContent(config: ShapingConfig, manifest: Manifest): ExpectedContent {
  return {
    generation: manifest.generation,
    snapshot: partsHash(manifest),
    settings: contentSettings(config),
  };
}

/** How many of the files that the record names, and of its own, are not in the folder, or have another size. */
export interface LostFiles {
  /** All of them. */
  of: number;
  count: number;
  /** The first of them in code-unit order; undefined: none is lost. */
  first: string | undefined;
}

/**
 * Compares a listing of the content folder with the record of the last export. Reads the list of files piece by piece, and no
 * other file: a sync that finds nothing new can afford it.
 *
 * @param index the bytes of the tree's `index.json`
 * @param sizes whether sizes are compared too, which takes a look at each file
 * @returns undefined if the record is missing, damaged, of another version, or of another index: nothing is known then
 */
export async function lostFiles(store: Store, index: Uint8Array, sizes = false): Promise<LostFiles | undefined> {
  const bytes = await store.get(recordHead);
  const head = bytes && wholeHead(bytes);
  if (head === undefined || head.index !== contentHash(index)) return undefined;
  const entries = sizes ? await store.list("") : [];
  const names = sizes ? entries.map(({ name }) => name) : await store.names("");
  const own = filesOf(head);
  const there = new Set(names.filter(isRecordFile));
  const missing = own.filter((name) => !there.has(name)).sort();
  const lost: LostFiles = { of: own.length, count: missing.length, first: missing[0] };
  const left = head.names.filter(({ hash }) => there.has(recordFile(hash)));
  let at = 0;
  try {
    for await (const { path, bytes: size } of namedFiles(store, { names: left })) {
      lost.of += 1;
      while (at < names.length && names[at]! < path) at += 1;
      if (names[at] === path && (!sizes || entries[at]!.size === size)) continue;
      lost.count += 1;
      lost.first ??= path;
    }
  } catch (error) {
    if (error instanceof RecordDamage) return undefined;
    throw error;
  }
  return lost;
}

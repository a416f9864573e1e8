import { OffprintError } from "../../lib/errors.js";
import { isObject, number, text } from "../../lib/shape.js";
import type { Store } from "../../snapshot/store/store.js";
import { contentFormat } from "./content-settings.js";
import { indexFile, parseJson } from "./tree-record.js";

const generator = "offprint";

/** `index.json`: what the content tree is and where its files are. */
export interface ContentIndex {
  generator: typeof generator;
  format: number;
  generation: number;
  /** What that generation holds: `partsHash`. */
  snapshot: string;
  /** Hash of the settings, {@link contentSettings}. */
  settings: string;
  formats: string[];
  /** The target of the Markdown files. */
  target: string;
  editions: ContentIndexEdition[];
  /** By slug. */
  datasources: { slug: string; name: string; file: string; entries: number }[];
  /** The file of all stories and folders; where there are several, a list in the order of their rows. */
  links: string | readonly string[];
  /** null when it is not known what changed. */
  changes: string | null;
  /** null when no story has moved. */
  redirects: { json: string; rules: string } | null;
  /** Files that are missing, because a file that is not ours has their name. */
  blocked: string[];
}

export interface ContentIndexEdition {
  /** `published/de` */
  name: string;
  version: string;
  release: string | null;
  language: string;
  stories: number;
  /** Markdown files: stories of settings have none. */
  pages: number;
  /** JSON files by content type, in code-unit order of the type; empty when JSON is not written. */
  types: { name: string; files: string[]; stories: number }[];
  /** Folder of the Markdown files; null when Markdown is not written. */
  markdown: string | null;
}

/** What the index of a current tree holds. */
export type ExpectedContent = Pick<ContentIndex, "generation" | "snapshot" | "settings">;

/** True if the content tree is whole, of this generation and of these settings; reads `index.json` only. */
export async function contentIsCurrent(store: Store, expected: ExpectedContent): Promise<boolean> {
  return (await currentIndex(store, expected)) !== undefined;
}

/** The bytes of an `index.json` that shows what is expected, and lacks no file; undefined if missing. */
export async function currentIndex(store: Store, expected: ExpectedContent): Promise<Uint8Array | undefined> {
  const { generation, snapshot, settings } = expected;
  const bytes = await store.get(indexFile);
  const index = bytes === undefined ? undefined : parseJson(bytes);
  if (!isOurs(index) || (Array.isArray(index.blocked) && index.blocked.length > 0)) return undefined;
  const isShown = index.generation === generation && index.snapshot === snapshot && index.settings === settings;
  return isShown ? bytes : undefined;
}

/** What the bytes of an `index.json` say that a tree shows; undefined for bytes that are no index of ours. */
export function shownContent(bytes: Uint8Array): ExpectedContent | undefined {
  const index = parseJson(bytes);
  if (!isOurs(index)) return undefined;
  const { generation, snapshot, settings } = index;
  const isWhole = number.is(generation) && text.is(snapshot) && text.is(settings);
  return isWhole ? { generation, snapshot, settings } : undefined;
}

/** True if another version of this program wrote the index. */
export function isOfOtherVersion(index: Uint8Array | undefined): boolean {
  const found = index === undefined ? undefined : parseJson(index);
  return isOurs(found) && found.format !== contentFormat;
}

/** @throws OffprintError `OUTPUT_UNUSABLE` when the folder holds an `index.json` that we did not write */
export async function assertIndexIsOurs(store: Store): Promise<void> {
  const bytes = await store.get(indexFile);
  if (bytes === undefined || isOurs(parseJson(bytes)) || isCutOff(bytes)) return;
  throw new OffprintError(
    "OUTPUT_UNUSABLE",
    `The content folder has an ${indexFile} that offprint did not write. It was kept.`,
    {
      hint: "Choose another content.dir, or move that file away.",
    },
  );
}

/** What a built site says of itself, in the form that {@link shownContent} reads. */
export const builtIndexFile = "offprint.json";

export function newContentIndex<Fields extends ExpectedContent>(
  fields: Fields,
): Fields & Pick<ContentIndex, "generator" | "format"> {
  return { generator, format: contentFormat, ...fields };
}

/** What every index begins with. */
const indexBeginning = `{\n "generator": "${generator}"`;

/** True if non-JSON bytes are a remnant of our index: its beginning, a part of that, or zeros after a power cut. */
function isCutOff(bytes: Uint8Array): boolean {
  if (bytes[0] === 0) return true;
  const rest = Buffer.from(bytes).toString("utf8");
  return parseJson(bytes) === undefined && (rest.startsWith(indexBeginning) || indexBeginning.startsWith(rest));
}

function isOurs(index: unknown): index is Record<string, unknown> {
  return isObject(index) && index.generator === generator;
}

import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import type { Config } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { assetsFolder } from "../snapshot/layout.js";
import type { Store } from "../store/store.js";
import { contentFolderOf } from "./content-folder.js";
import { indexFile, isRecord, parseJson } from "./content-notes.js";

/** Counts up when the same records and settings give other files. */
const contentFormat = 1;
const generator = "offprint";

/** `index.json`: what the content tree is and where its files are. */
export interface ContentIndex {
  generator: typeof generator;
  format: number;
  generation: number;
  /** Hash of the settings, {@link contentSettings}. */
  settings: string;
  formats: string[];
  editions: ContentIndexEdition[];
  /** By slug. */
  datasources: { slug: string; name: string; file: string; entries: number }[];
  links: string;
  /** null where no sync told what changed. */
  changes: string | null;
}

export interface ContentIndexEdition {
  /** `published/de` */
  name: string;
  version: string;
  release: string | null;
  language: string;
  stories: number;
  /** JSON files by content type, in code-unit order of the type; empty when JSON is not written. */
  types: { name: string; file: string; stories: number }[];
  /** Folder of the Markdown files; null when Markdown is not written. */
  markdown: string | null;
}

/** Hash of every setting that shapes the content tree: another hash means that all of it is rendered again. */
export function contentSettings(config: Config): string {
  const shape = [
    contentFormat,
    config.resolve,
    assetsBase(config),
    config.content.formats,
    config.content.target,
    config.content.types,
  ];
  return createHash("sha256")
    .update(JSON.stringify(sorted(shape)))
    .digest("hex");
}

/** What stands before `<hash>/<name>` of an asset in content: a URL, or a path relative to the content folder. */
export function assetsBase(config: Config): string {
  const { baseUrl, dir } = config.assets;
  if (baseUrl !== undefined) return baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  const to = dir ?? join(config.output.dir, assetsFolder);
  return `${relative(contentFolderOf(config), to).replaceAll("\\", "/")}/`;
}

/** Whether the content tree is whole, of this generation and of these settings; reads `index.json` only. */
export async function contentIsCurrent(store: Store, generation: number, settings: string): Promise<boolean> {
  const bytes = await store.get(indexFile);
  const index = bytes === undefined ? undefined : parseJson(bytes);
  return isOurs(index) && index.generation === generation && index.settings === settings;
}

/** @throws OffprintError `OUTPUT_UNUSABLE` when an `index.json` is there that we did not write */
export async function assertIndexIsOurs(store: Store): Promise<void> {
  const bytes = await store.get(indexFile);
  if (bytes === undefined || isOurs(parseJson(bytes))) return;
  throw new OffprintError(
    "OUTPUT_UNUSABLE",
    `The content folder holds an ${indexFile} that is not ours; it was kept.`,
    {
      hint: "Choose a content.dir of its own, or move that file away.",
    },
  );
}

export function newContentIndex(fields: Omit<ContentIndex, "generator" | "format">): ContentIndex {
  return { generator, format: contentFormat, ...fields };
}

function isOurs(index: unknown): index is Record<string, unknown> {
  return isRecord(index) && index.generator === generator;
}

/** Keys in code-unit order, so that the order of the configuration's lines does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key])]);
}

import matter from "gray-matter";
import type { Config } from "../../config/config.js";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { contentHash } from "../../lib/content-hash.js";
import { OffprintError, type Problem } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";
import { isInShare, type VerifyShare } from "../../snapshot/verify/verify-share.js";
import { contentStore, hasContent } from "./content-folder.js";
import { contentIsCurrent, type ExpectedContent, isOfOtherVersion } from "./content-index.js";
import { expectedContent } from "./is-content-current.js";
import { allLines, RecordDamage } from "./sorted-chunks.js";
import { allFiles, indexFile, readRecord, recordHead, type TreeRecord } from "./tree-record.js";

/**
 * Reads the content tree back: whole, of this generation and these settings, and every file as it was written. Without
 * `content.formats` there is no content tree, and nothing is read.
 */
export async function verifyGeneration(
  config: Config,
  manifest: Manifest,
  share?: VerifyShare,
): Promise<ContentVerifyReport> {
  if (!hasContent(config)) return { files: 0, problems: [], notes: [] };
  return verifyContent(contentStore(config), expectedContent(config, manifest), share);
}

/** Removes the index of a damaged tree, so that no build reads it and the next sync renders it again. */
export async function disownContent(config: Config): Promise<void> {
  await contentStore(config).remove(indexFile);
}

/** The result of `verify` for the content tree. */
export interface ContentVerifyReport {
  /** Files that were read. */
  files: number;
  problems: Problem[];
  /** Not damage: another version wrote the tree, so its bytes cannot be compared. */
  notes: Problem[];
}

/** How many files are read at the same time. */
const parallel = 16;

/**
 * Reads every file of the content tree. Its bytes must be unchanged, and the front matter of a Markdown file must
 * name a story.
 *
 * @param expected what `index.json` has to hold
 * @param share of the files; the tree's own record is read whole
 */
export async function verifyContent(
  store: Store,
  expected: ExpectedContent,
  share?: VerifyShare,
): Promise<ContentVerifyReport> {
  const problems: Problem[] = [];
  const written = await store.get(indexFile);
  const record = await readRecord(store);
  const { isMissing, isOther, index } = record;
  const isOld = isOther || isOfOtherVersion(written);
  if (!(await contentIsCurrent(store, expected)) && !isOfOtherVersion(written)) {
    problems.push(damaged("index.json", `does not name generation ${expected.generation} with these settings`));
  }
  const files = await hashesOf(store, record);
  if (isMissing) problems.push(damaged(recordHead, "is missing"));
  if (typeof files === "string") problems.push(damaged(files, "is damaged"));
  if (index !== null && problems.length === 0) problems.push(...indexProblem(index, written));
  const noted = typeof files === "string" ? [] : files.filter(([path]) => isInShare(path, share));
  const found = await mapBounded(noted, parallel, async ([path, hash]) =>
    fileProblem(path, isOther ? undefined : hash, await store.get(path)),
  );
  const all = [...problems, ...found.flatMap((problem) => problem ?? [])];
  return { files: noted.length, problems: all, notes: isOld ? [ofOtherVersion] : [] };
}

/** The files that the record names, with their hashes; the name of one of its own files that is damaged. */
async function hashesOf(store: Store, record: TreeRecord): Promise<[path: string, hash: string][] | string> {
  if (record.isDamaged) return recordHead;
  const hashes = new Map(record.unknown);
  try {
    for await (const [path, { hash }] of allFiles(store, record)) hashes.set(path, hash);
    for await (const _ of allLines(store, [...record.names, ...record.readers]));
  } catch (error) {
    if (error instanceof RecordDamage) return error.message;
    throw error;
  }
  return [...hashes].sort(([a], [b]) => (a < b ? -1 : 1));
}

const ofOtherVersion: Problem = {
  code: "CONTENT_OUTDATED",
  message:
    "The content tree was written by another version of Offprint. Its files are there, but their bytes were not compared.",
  hint: "Run `offprint export` (or `offprint sync`) to write it again.",
};

function indexProblem(hash: string, bytes: Uint8Array | undefined): Problem[] {
  const isWhole = bytes !== undefined && contentHash(bytes) === hash;
  return isWhole ? [] : [damaged(indexFile, "has changed since it was written")];
}

/** @param hash of its bytes; undefined: unknown */
function fileProblem(path: string, hash: string | undefined, bytes: Uint8Array | undefined): Problem | undefined {
  if (bytes === undefined) return damaged(path, "is missing");
  if (hash !== undefined && contentHash(bytes) !== hash) return damaged(path, "has changed since it was written");
  return path.endsWith(".md") ? markdownProblem(path, Buffer.from(bytes).toString("utf8")) : undefined;
}

function markdownProblem(path: string, text: string): Problem | undefined {
  try {
    const { data } = readMarkdown(text);
    // Hugo keeps what is not its own below `params`.
    const uuid: unknown = data.uuid ?? (data.params as { uuid?: unknown } | undefined)?.uuid;
    return typeof uuid === "string" ? undefined : damaged(path, "has front matter that names no story");
  } catch (error) {
    return damaged(path, `cannot be read back: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function damaged(path: string, what: string): Problem {
  return {
    code: "SNAPSHOT_DAMAGED",
    message: `The content file ${JSON.stringify(path)} ${what}.`,
    hint: "Run `offprint export` to write it again.",
  };
}

/** A Markdown file as a site generator reads it. */
export interface MarkdownFile {
  data: Record<string, unknown>;
  body: string;
}

function refuse(): never {
  throw new OffprintError("SNAPSHOT_DAMAGED", "Front matter that contains a program was not run.", {
    hint: "Only YAML front matter is read.",
  });
}

/** Replaces the engines that would run front matter as a program. */
const engines = Object.fromEntries(
  ["javascript", "js", "coffee", "coffeescript", "cson"].map((name) => [name, { parse: refuse, stringify: refuse }]),
);

/** Reads Markdown with YAML front matter. @throws Error if it is not YAML; `SNAPSHOT_DAMAGED` if it is a program */
export function readMarkdown(text: string): MarkdownFile {
  const file = matter(text.replaceAll("\r\n", "\n"), { engines });
  return { data: file.data, body: file.content };
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { richTextAs } from "../content/render/rich-text.js";
import {
  anyTag,
  assetsTag,
  datasourcesTag,
  datasourceTag,
  type TagPair,
  termsTag,
} from "../content/resolve/cache-tags.js";
import { contentFolderOf } from "../content/tree/content-folder.js";
import { redirectsFile } from "../content/tree/history-files.js";
import { contentHash } from "../lib/content-hash.js";
import { isOffprintError, OffprintError } from "../lib/errors.js";
import { isObject } from "../lib/shape.js";
import { listGenerations } from "../snapshot/current-manifest.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { BlockLines } from "../snapshot/reader/index-rows.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import type { Store } from "../snapshot/store/store.js";
import { openAssetFiles } from "./asset-files.js";
import { createByteCache } from "./byte-cache.js";
import { warnUnknown } from "./check-options.js";
import { readDatasourceEntries, readDatasources } from "./datasource-entries.js";
import { NotedFacts, type SnapshotFacts } from "./noted-facts.js";
import { prunedGeneration } from "./pinned-generation.js";
import { createReadNotes, keyBasis, type Note } from "./read-notes.js";
import { richTextContext } from "./resolve-stories.js";
import type { OpenSnapshotOptions, Redirect, Snapshot } from "./snapshot.js";
import { snapshotEditions } from "./snapshot-editions.js";
import { pointerFile, type SnapshotSettings } from "./snapshot-settings.js";
import { type StoryQuestions, storyQuestions } from "./story-questions.js";
import { openTaxonomies } from "./taxonomies.js";

export interface GenerationSnapshotOptions {
  store: Store;
  /** The same folder, for disposable files. */
  cache: Store;
  manifest: Manifest;
  settings: SnapshotSettings;
  options: OpenSnapshotOptions;
  /** How `track` takes notes; only tests plant other ways. */
  takeNotes?: typeof createReadNotes;
}

const defaultCacheBytes = 24 * 1024 * 1024;

/** One generation for site code. Reads lazily. */
export function createGenerationSnapshot(given: GenerationSnapshotOptions): Snapshot {
  const { store, manifest, settings, options, takeNotes = createReadNotes } = given;
  const { config } = settings;
  const cacheBytes = options.cacheBytes ?? defaultCacheBytes;
  const bytes = createByteCache<BlockLines>(cacheBytes, (value) => value.bytes.length + value.starts.length * 4);
  const assets = openAssetFiles(store, manifest, config.assets, cacheBytes / 8);
  const editions = snapshotEditions({ ...given, bytes, cacheBytes, usual: options });
  const context = richTextContext(config, (slug) => slug);
  const inAllLanguages = editions.inAllLanguages({});
  const editionNames = inAllLanguages.map(({ name }) => name);
  let isClosed = false;

  /** Runs a question; reports a generation that was removed under it. */
  const asked = async <T>(question: () => Promise<T>): Promise<T> => {
    if (isClosed) throw closedSnapshot(manifest);
    try {
      return await question();
    } catch (error) {
      throw isOffprintError(error, "SNAPSHOT_DAMAGED") ? await orPruned(error, given) : error;
    }
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    bytes.clear();
  };

  const datasource = async (slug: string) => {
    const all = await readDatasources(store, manifest);
    const found = all.find((one) => one.slug === slug);
    if (found !== undefined) return readDatasourceEntries(store, manifest, found);
    const slugs = all.map((one) => one.slug);
    warnUnknown("datasource()", "datasource", String(slug), slugs);
    return undefined;
  };
  const facts = {
    manifest,
    generation: manifest.generation,
    cv: manifest.cv,
    level: manifest.level,
    languages: inAllLanguages.map(({ language }) => language),
    version: editions.version,
    fingerprint: fingerprintOf(given),
    address: settings.address,
    pointer: pointerFile(settings),
  };
  const taxonomies = openTaxonomies(store, manifest);
  const questionsFor = storyQuestions({ store, manifest, config, assets, editions, taxonomies, asked });
  const basis = keyBasis(config);

  /** Asks, and notes the whole answer. */
  const told = async <T>(note: Note | undefined, question: string, tag: TagPair, ask: () => Promise<T>): Promise<T> => {
    const answer = await asked(ask);
    note?.({ question, answer: answer === undefined ? "" : hashOfAnswer(answer), tags: [tag] });
    return answer;
  };
  const slugs = async () => (await readDatasources(store, manifest)).map(({ slug }) => slug);
  const view = (note?: Note): Snapshot => {
    const others: Omit<Snapshot, keyof SnapshotFacts | keyof StoryQuestions> = {
      html: (document) => richTextAs.html(document, context),
      markdown: (document) => richTextAs.markdown(document, context),
      text: (document) => richTextAs.text(document, context),
      close,
      [Symbol.asyncDispose]: close,
      terms: () => told(note, "terms", termsTag, taxonomies.trees),
      datasources: () => told(note, "datasources", datasourcesTag, slugs),
      datasource: (slug) => told(note, `datasource ${slug}`, datasourceTag(String(slug)), () => datasource(slug)),
      redirects: () => told(note, "redirects", anyTag, () => readRedirects(settings, editionNames)),
      asset: (address) => told(note, `bytes ${address}`, assetsTag, () => assets.bytes(address)),
      async track(read) {
        if (isClosed) throw closedSnapshot(manifest);
        const notes = takeNotes(basis, note);
        const value = await read(view(notes.note));
        return { value, key: notes.key(), tags: notes.tags() };
      },
    };
    return Object.assign(new NotedFacts(facts, note), questionsFor(note), others);
  };
  return view();
}

function hashOfAnswer(answer: unknown): string {
  return shortHash(answer instanceof Uint8Array ? answer : JSON.stringify(answer));
}

function fingerprintOf({ manifest, settings: { config }, options }: GenerationSnapshotOptions): string {
  const { resolve, assets, content } = config;
  const { generation: _, cacheBytes: __, ...shaping } = options;
  return contentHash(JSON.stringify([manifest.checksum, resolve, assets, content, shaping]));
}

/** Once the generation is pruned, missing files are not damage. */
async function orPruned(
  error: OffprintError,
  { store, manifest, settings }: GenerationSnapshotOptions,
): Promise<OffprintError> {
  const kept = await listGenerations(store).catch(() => [manifest.generation]);
  return kept.includes(manifest.generation) ? error : prunedGeneration(manifest.generation, settings.address, kept);
}

function closedSnapshot({ generation }: Manifest): OffprintError {
  return new OffprintError("USAGE", `The snapshot of generation ${generation} was closed before this call.`, {
    hint: "Call close() after the last page is rendered, or open another snapshot with openSnapshot().",
  });
}

/** The content tree's redirects of these editions. @throws OffprintError `SNAPSHOT_DAMAGED` */
async function readRedirects({ config }: SnapshotSettings, editions: readonly string[]): Promise<Redirect[]> {
  const file = join(contentFolderOf(config), redirectsFile);
  const text = await readFile(file, "utf8").catch(() => "[]");
  const lines = parsedLines(text);
  const found = new Map<string, Redirect>();
  for (const line of Array.isArray(lines) ? lines : []) {
    if (!isObject(line) || !editions.includes(String(line.edition))) continue;
    const { from, to } = line;
    if (typeof from === "string" && typeof to === "string") found.set(from, { from, to });
  }
  return [...found.values()];
}

function parsedLines(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedFile(redirectsFile, "in the content tree is not JSON", cause);
  }
}

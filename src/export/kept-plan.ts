import type { Problem } from "../errors.js";
import { linesOf, linesText } from "../json/lines.js";
import { keyStart, shortHash, storyOfKey } from "../reader/noting-reader.js";
import { targets } from "../render/targets.js";
import { contentHash } from "../snapshot/content-hash.js";
import { parts } from "../snapshot/layout.js";
import {
  comparePieces,
  fileBytes,
  layOutShards,
  lineWeight,
  maxPrefix,
  type Piece,
  placeOf,
} from "../snapshot/shard-trie.js";
import type { Store } from "../store/store.js";
import type { ChangedAnswers } from "./changed-answers.js";
import type { ContentIndex, ContentIndexEdition } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import { type ContentNotes, indexFile, parseJson } from "./content-notes.js";
import { contentSettings } from "./content-settings.js";
import { editionInputs } from "./edition-inputs.js";
import { keptLinkLines } from "./link-lines.js";
import type { NotedAnswers } from "./noted-answers.js";
import { isPlaces, NotedFile, placesOf, problemsOf } from "./noted-file.js";
import {
  type ContentPlan,
  type KeptFiles,
  linksFile,
  planContent,
  planDatasources,
  redirectsFile,
} from "./plan-content.js";
import { markdownFile, typeFile } from "./plan-edition.js";
import type { Redirect } from "./redirects.js";
import type { PlannedFile } from "./rendering.js";

export interface KeptPlanOptions {
  /** Rooted at the content folder. */
  store: Store;
  /** What the last export left. */
  notes: ContentNotes;
  /** Which of the answers in the notes are others now. */
  changed: ChangedAnswers;
  /** Whether a file is as the last export wrote it, with so many bytes. */
  isAsWritten(path: string, bytes: number): boolean;
  /** Whether an edition has the stories of the notes, at the same slugs and of the same types. */
  hasSameSlugs(edition: string): boolean;
}

/**
 * The plan of an export after which no story came, went, moved or changed its type: the files of the last one, as its notes
 * name them. No path is planned, so that it costs what reading the notes costs.
 *
 * @returns the plan that `planContent` would make; undefined where that is not certain
 */
export async function keptPlan(inputs: ContentInputs, options: KeptPlanOptions): Promise<ContentPlan | undefined> {
  const { notes, store, hasSameSlugs } = options;
  const isSame = notes.plan !== null && notes.plan === planBasis(inputs);
  if (!isSame || !inputs.reader.manifest.editions.every(({ name }) => hasSameSlugs(name))) return undefined;
  const index = await intactFile(store, indexFile, notes.index);
  const redirects = await intactFile(store, redirectsFile, notes.files.get(redirectsFile)?.hash ?? null);
  if (index === undefined || (redirects === undefined && notes.files.has(redirectsFile))) return undefined;
  const { editions } = parseJson(index) as ContentIndex;
  const stories = storyFiles(inputs, options, editions);
  const links = await keptLinks(inputs, options);
  if (stories === undefined || links === undefined) return undefined;
  const datasources = planDatasources(inputs);
  return {
    files: [...stories.files, ...datasources.map(({ file }) => file), links],
    kept: stories.kept,
    editions,
    datasources: datasources.map(({ entry }) => entry),
    redirects: () => (redirects === undefined ? [] : (parseJson(redirects) as Redirect[])),
  };
}

/**
 * Hash of what decides, beside the stories, which files there are, where they lie, and what shapes them. null for a profile
 * of the caller's: its functions cannot be compared.
 */
export function planBasis({ config, target, blocksVersion, reader }: ContentInputs): string | null {
  if (target !== targets[target.name as keyof typeof targets]) return null;
  const editions = reader.manifest.editions.map(({ name, version, release, language }) => {
    return [name, version, release, language];
  });
  return shortHash(JSON.stringify([contentSettings(config, target.name), blocksVersion, editions]));
}

async function intactFile(store: Store, path: string, hash: string | null): Promise<Uint8Array | undefined> {
  const bytes = hash === null ? undefined : await store.get(path);
  return bytes !== undefined && contentHash(bytes) === hash ? bytes : undefined;
}

interface StoryFiles {
  files: PlannedFile[];
  kept: KeptFiles;
}

/** The files that show stories; undefined where one is missing, or where JSON files would hold other stories now. */
function storyFiles(
  inputs: ContentInputs,
  { notes, changed, isAsWritten }: KeptPlanOptions,
  editions: readonly ContentIndexEdition[],
): StoryFiles | undefined {
  const shown = new Map(editions.map(({ name }) => [name, { pages: 0, files: new Map<string, readonly string[]>() }]));
  const editionOf = editionsOfRecords(notes.answers, editions);
  const due: string[] = [];
  const kept: string[] = [];
  const problems: Problem[] = [];
  for (const [path, note] of notes.files) {
    const written = note instanceof NotedFile ? note.parsed() : undefined;
    if (written === undefined) return undefined;
    const [, bytes, , read, , own] = written;
    const records = isPlaces(read) ? undefined : read;
    if (records === undefined && own === undefined) continue;
    const found = shown.get(records?.edition ?? editionOf(own!) ?? "");
    if (found === undefined) return undefined;
    if (records === undefined) found.pages += 1;
    else
      found.files.set(
        path,
        records.notes.map(([id]) => id),
      );
    if (placesOf(written).some(changed.has) || !isAsWritten(path, bytes)) due.push(path);
    else {
      kept.push(path);
      problems.push(...problemsOf(written));
    }
  }
  const { formats } = inputs.config.content;
  const isWhole = editions.every((edition) => {
    const { pages, files } = shown.get(edition.name)!;
    if (pages !== (formats.includes("markdown") ? edition.stories : 0)) return false;
    return formats.includes("json") ? isLaidOutSo(inputs, edition, files) : files.size === 0;
  });
  if (!isWhole) return undefined;
  return { files: due.map(planner(inputs, notes)), kept: { paths: kept, problems } };
}

/** Gives the edition of a story by the place of the answer that is its record. */
function editionsOfRecords(
  answers: NotedAnswers,
  editions: readonly ContentIndexEdition[],
): (place: number) => string | undefined {
  const ranges = editions.map(({ name }) => ({ name, ...answers.placesOf(keyStart("story", name)) }));
  return (place) => ranges.find(({ from, to }) => from <= place && place < to)?.name;
}

/** Plans a file as it is noted. */
function planner(inputs: ContentInputs, notes: ContentNotes): (path: string) => PlannedFile {
  const editions = new Map(
    inputs.reader.manifest.editions.map((edition) => [edition.name, editionInputs(inputs, edition)]),
  );
  return (path) => {
    const { basis, own, lines } = notes.files.get(path)!;
    if (lines !== undefined) {
      const uuids = lines.notes.map(({ id }) => id);
      return typeFile(editions.get(lines.edition)!, { path, basis, linesBasis: lines.basis, uuids });
    }
    const { edition, uuid } = storyOfKey(own!)!;
    return markdownFile(editions.get(edition)!, { path, basis, uuid });
  };
}

/** Whether stories of the sizes that they have now would be spread over JSON files in the same way. */
function isLaidOutSo(
  { reader, config }: ContentInputs,
  { name, types }: ContentIndexEdition,
  idsIn: ReadonlyMap<string, readonly string[]>,
): boolean {
  const { shardBytes } = config.output;
  // Sorted as the records of the shards are: the first uuid is that of the first record.
  const sorted = [...idsIn.values()]
    .flat()
    .map((key) => ({ place: placeOf(key), key }))
    .sort(comparePieces);
  const weights = new Map<string, number>();
  for (const { starts, ends } of reader.shards(parts.stories(name))) {
    for (const [index, start] of starts.entries()) {
      weights.set(sorted[weights.size]?.key ?? "", ends[index]! - start + lineWeight(""));
    }
  }
  if (weights.size !== sorted.length) return false;
  return types.every(({ files }) => {
    const pieces: Piece[] = [];
    for (const path of files) {
      const ids = idsIn.get(path) ?? [];
      const [key = "0", last = key] = [ids[0], ids.at(-1)];
      const weight = ids.reduce((sum, id) => sum + weights.get(id)!, 0);
      const isDivisible = placeOf(key).slice(0, maxPrefix / 4) !== placeOf(last).slice(0, maxPrefix / 4);
      // How far a file was divided that cannot be divided any further, its stories do not tell.
      if (ids.length > 1 && (!isDivisible || fileBytes(weight) > shardBytes)) return false;
      pieces.push({ place: placeOf(key), key, records: ids.length, weight });
    }
    return layOutShards(pieces.sort(comparePieces), shardBytes).length === pieces.length;
  });
}

/** `links.json`, of which the lines stay but for what the index says. */
async function keptLinks(
  inputs: ContentInputs,
  { notes, store, changed }: KeptPlanOptions,
): Promise<PlannedFile | undefined> {
  const note = notes.files.get(linksFile);
  if (note === undefined) return undefined;
  const { read, reader } = inputs;
  const bytes = !changed.areReadBy(note) ? undefined : await intactFile(store, linksFile, note.hash);
  const earlier = bytes && linesOf(Buffer.from(bytes).toString("utf8"));
  return {
    path: linksFile,
    basis: note.basis,
    render() {
      const lines = earlier && keptLinkLines(read, reader.manifest.editions, earlier);
      if (lines !== undefined) return linesText(lines);
      return planContent(inputs)
        .files.find(({ path }) => path === linksFile)
        ?.render();
    },
  };
}

import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import type { Problem } from "../../lib/errors.js";
import { storyOfKey } from "../../snapshot/reader/noting-reader.js";
import {
  comparePieces,
  dividedBy,
  fileBytes,
  layOutShards,
  lineWeight,
  type Piece,
  placeOf,
} from "../../snapshot/shard-trie.js";
import type { Store } from "../../snapshot/store/store.js";
import type { ChangedAnswers } from "./changed-answers.js";
import type { ContentIndexEdition } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import type { FileNote } from "./file-note.js";
import { type PageName, pagesIn } from "./page-keys.js";
import type { KeptFile, KeptFiles } from "./plan-content.js";
import { outlinePath, storiesFile } from "./plan-edition.js";
import type { PartFiles, WrittenPart } from "./record-part.js";
import type { PlannedFile } from "./rendering.js";
import { editionInputs } from "./story-text.js";
import type { TreeFolder } from "./tree-folder.js";
import {
  type NamedStories,
  namedFiles,
  partNames,
  partOfNoStory,
  readPart,
  storiesOf,
  type TreeRecord,
} from "./tree-record.js";

export interface KeptStoryFilesOptions {
  /** Rooted at the content folder. */
  store: Store;
  /** What the last export left. */
  record: TreeRecord;
  folder: TreeFolder;
  changed: ChangedAnswers;
}

/** The parts of the last export that have to be looked into: a file of theirs may be another one now. @throws RecordDamage */
export async function openedParts(
  { reader }: Pick<ContentInputs, "reader">,
  { store, record, folder, changed }: KeptStoryFilesOptions,
): Promise<ReadonlyMap<string, WrittenPart>> {
  const names = partNames(reader.manifest);
  const moved = [...record.parts.keys()].filter((part) => !names.has(part));
  const opened = new Set([partOfNoStory, ...moved, ...changed.parts, ...folder.suspect]);
  return new Map(
    await mapBounded([...opened], 16, async (part) => [part, await readPart(store, record, part)] as const),
  );
}

/**
 * The files that show stories, after a change that moved no story: those that may have changed, and the others.
 *
 * @param editions as the last export wrote them into the index
 * @param opened see {@link openedParts}
 * @returns also the pages that read something that changed; undefined if a file is missing, or where JSON files would hold other stories now
 * @throws RecordDamage
 */
export async function keptStoryFiles(
  inputs: ContentInputs,
  options: KeptStoryFilesOptions,
  editions: readonly ContentIndexEdition[],
  opened: ReadonlyMap<string, WrittenPart>,
): Promise<{ files: PlannedFile[]; kept: KeptFiles; pages: PageName[] } | undefined> {
  const shown = new Shown(editions);
  const isChanged = (key: string) => options.changed.keys.has(key);
  const areMarkdown = inputs.config.content.formats.includes("markdown");
  const problems: Problem[] = [];
  for await (const { path, part, problems: own, stories } of namedFiles(options.store, options.record)) {
    if (opened.has(part)) continue;
    shown.add(editions[Number.parseInt(part, 10)]?.name ?? "", path, stories);
    problems.push(...own);
  }
  const due: [path: string, note: FileNote][] = [];
  const files: KeptFile[] = [];
  const pages: PageName[] = [];
  for (const [name, part] of opened) {
    for (const [path, note] of part) {
      const { lines, own, keys } = note;
      if (lines === undefined && own === undefined) continue;
      const isSame = !keys.some(isChanged);
      if (!isSame) pages.push(...pagesIn(note, areMarkdown).filter((page) => page.keys.some(isChanged)));
      const stories = lines && storiesOf(isSame ? lines : { ...lines, weight: weightOf(lines, inputs) });
      shown.add(lines?.edition ?? storyOfKey(own!)?.edition ?? "", path, stories);
      if (isSame && isAsWritten(options.folder, part, path, note)) files.push({ path, part: name, note });
      else due.push([path, note]);
    }
  }
  if (!editions.every((edition) => shown.isWhole(edition, inputs))) return undefined;
  readAhead(inputs, due);
  return { files: due.map(plansFromNotes(inputs, shown)), kept: { opened, files, problems }, pages };
}

/** True if size and date of a file, and of the one beside it, say that it is as an earlier export wrote it. */
function isAsWritten(folder: TreeFolder, part: PartFiles, path: string, { bytes }: FileNote): boolean {
  const beside = path.endsWith(".md") ? part.get(outlinePath(path)) : undefined;
  const isBesideSo = beside === undefined || folder.state(outlinePath(path), beside.bytes) === "trusted";
  return isBesideSo && folder.state(path, bytes) === "trusted";
}

/** The stories of a JSON file. The key is the uuid of the first one. */
interface StoriesPiece extends Piece {
  /** The uuid of the last one. */
  last: string;
}

/** The files of an edition that were found. */
class Shown {
  readonly #editions: ReadonlyMap<string, { pages: number; files: Map<string, StoriesPiece> }>;
  #isKnown = true;

  constructor(editions: readonly ContentIndexEdition[]) {
    this.#editions = new Map(editions.map(({ name }) => [name, { pages: 0, files: new Map() }]));
  }

  add(edition: string, path: string, stories: NamedStories | undefined): void {
    const found = this.#editions.get(edition);
    if (found === undefined) this.#isKnown = false;
    else if (stories !== undefined) {
      const [key, last, records, weight] = stories;
      found.files.set(path, { place: placeOf(key), key, records, weight, last });
    } else if (path.endsWith(".md")) found.pages += 1;
  }

  weightOf(edition: string, path: string): number {
    return this.#editions.get(edition)!.files.get(path)!.weight;
  }

  isWhole(edition: ContentIndexEdition, inputs: ContentInputs): boolean {
    const { pages, files } = this.#editions.get(edition.name)!;
    if (!this.#isKnown || pages !== edition.pages) return false;
    return inputs.config.content.formats.includes("json") ? isLaidOutSo(inputs, edition, files) : files.size === 0;
  }
}

/** What the records of the stories weigh now. */
function weightOf({ edition, notes }: NonNullable<FileNote["lines"]>, { reader }: ContentInputs): number {
  const bytes = notes.map(({ id }) => reader.storyDigest(edition, id)?.bytes ?? Number.NaN);
  return bytes.reduce((sum, length) => sum + length + lineWeight(""), 0);
}

/** True if stories of the sizes that they have now would be spread over JSON files in the same way. */
function isLaidOutSo(
  { config }: ContentInputs,
  { types, stories }: ContentIndexEdition,
  files: ReadonlyMap<string, StoriesPiece>,
): boolean {
  const { shardBytes } = config.output;
  let count = 0;
  const isSame = types.every((type) => {
    const pieces = type.files.flatMap((path) => files.get(path) ?? []);
    for (const { records } of pieces) count += records;
    // The stories of an indivisible file do not show how far it was divided.
    const areDivisible = pieces.every(({ key, last, records, weight }) => {
      return records === 1 || (dividedBy(placeOf(key)) !== dividedBy(placeOf(last)) && fileBytes(weight) <= shardBytes);
    });
    return areDivisible && layOutShards(pieces.sort(comparePieces), shardBytes).length === type.files.length;
  });
  return isSame && count === stories;
}

/** Reads the stories that these files read last time, so that a damaged shard is found before anything is written. */
function readAhead({ reader }: ContentInputs, due: readonly [path: string, note: FileNote][]): void {
  for (const key of new Set(due.flatMap(([, { keys }]) => keys))) {
    const [kind, edition, uuid] = JSON.parse(key) as [string, string, string];
    if (kind === "story" || kind === "reference") reader.storyBytes(edition, uuid);
  }
}

/** Gives the plan of a file as it is noted. */
function plansFromNotes(inputs: ContentInputs, shown: Shown): (file: [path: string, note: FileNote]) => PlannedFile {
  const editions = new Map(
    inputs.reader.manifest.editions.map((edition) => [edition.name, editionInputs(inputs, edition)]),
  );
  return ([path, { basis, own, lines }]) => {
    if (lines !== undefined) {
      const weight = shown.weightOf(lines.edition, path);
      const uuids = lines.notes.map(({ id }) => id);
      return storiesFile(editions.get(lines.edition)!, { path, uuids, lines: { basis: lines.basis, weight } }, basis);
    }
    const { edition, uuid } = storyOfKey(own!)!;
    return storiesFile(editions.get(edition)!, { path, uuids: [uuid] }, basis);
  };
}

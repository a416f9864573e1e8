import type { Problem } from "../../lib/errors.js";
import { keyStart, storyOfKey } from "../../snapshot/reader/noting-reader.js";
import {
  comparePieces,
  dividedBy,
  fileBytes,
  layOutShards,
  lineWeight,
  type Piece,
  placeOf,
} from "../../snapshot/shard-trie.js";
import type { ChangedAnswers } from "./changed-answers.js";
import type { ContentIndexEdition } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import type { ContentNotes } from "./content-notes.js";
import type { NotedAnswers } from "./noted-answers.js";
import { isPlaces, NotedFile, placesOf, problemsOf, type WrittenLines } from "./noted-file.js";
import type { KeptFiles } from "./plan-content.js";
import { markdownFile, typeFile } from "./plan-edition.js";
import type { PlannedFile } from "./rendering.js";
import { editionInputs } from "./story-text.js";

export interface KeptStoryFilesOptions {
  /** What the last export left. */
  notes: ContentNotes;
  /** Which of the answers in the notes are others now. */
  changed: ChangedAnswers;
  /** True if a file is as the last export wrote it, with so many bytes. */
  isAsWritten(path: string, bytes: number): boolean;
}

/**
 * The files that show stories, after a change that moved no story: those that may have changed, and the others.
 *
 * @param editions as the last export wrote them into the index
 * @returns undefined if a file is missing, or where JSON files would hold other stories now
 */
export function keptStoryFiles(
  inputs: ContentInputs,
  { notes, changed, isAsWritten }: KeptStoryFilesOptions,
  editions: readonly ContentIndexEdition[],
): { files: PlannedFile[]; kept: KeptFiles } | undefined {
  const shown = new Map(editions.map(({ name }) => [name, { pages: 0, files: new Map<string, StoriesPiece>() }]));
  const editionOf = editionsOfRecords(notes.answers, editions);
  const due: string[] = [];
  const kept: string[] = [];
  const problems: Problem[] = [];
  for (const [path, note] of notes.files) {
    const written = note instanceof NotedFile ? note.parsed() : undefined;
    if (written === undefined) return undefined;
    const [, bytes, basis, read, , own] = written;
    const records = isPlaces(read) ? undefined : read;
    if (records === undefined && own === undefined) continue;
    // The file beside the page was in the way of another one.
    if (basis === "") return undefined;
    const found = shown.get(records?.edition ?? editionOf(own!) ?? "");
    if (found === undefined) return undefined;
    const isSame = !placesOf(written).some(changed.has);
    if (records === undefined) found.pages += 1;
    else found.files.set(path, pieceOf(records, isSame ? records.weight : weightOf(records, inputs)));
    if (!isSame || !isAsWritten(path, bytes)) due.push(path);
    else {
      kept.push(path);
      problems.push(...problemsOf(written));
    }
  }
  const { formats } = inputs.config.content;
  const isWhole = editions.every((edition) => {
    const { pages, files } = shown.get(edition.name)!;
    if (pages !== edition.pages) return false;
    return formats.includes("json") ? isLaidOutSo(inputs, edition, files) : files.size === 0;
  });
  if (!isWhole) return undefined;
  readAhead(inputs, notes, due);
  return { files: due.map(plansFromNotes(inputs, notes, shown)), kept: { paths: kept, problems } };
}

/** Gives the edition of a story by the place of the answer that is its record. */
function editionsOfRecords(
  answers: NotedAnswers,
  editions: readonly ContentIndexEdition[],
): (place: number) => string | undefined {
  const ranges = editions.map(({ name }) => ({ name, ...answers.placesOf(keyStart("story", name)) }));
  return (place) => ranges.find(({ from, to }) => from <= place && place < to)?.name;
}

/** The stories of a JSON file. The key is the uuid of the first one. */
interface StoriesPiece extends Piece {
  /** The uuid of the last one. */
  last: string;
}

function pieceOf({ notes }: WrittenLines, weight: number): StoriesPiece {
  const [[key] = ["0"]] = notes;
  const [last] = notes.at(-1) ?? ["0"];
  return { place: placeOf(key), key, records: notes.length, weight, last };
}

/** What the records of the stories weigh now. */
function weightOf({ edition, notes }: WrittenLines, { reader }: ContentInputs): number {
  const bytes = notes.map(([uuid]) => reader.storyBytes(edition, uuid)?.length ?? Number.NaN);
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
function readAhead({ reader }: ContentInputs, { files }: ContentNotes, due: readonly string[]): void {
  for (const key of new Set(due.flatMap((path) => files.get(path)!.keys))) {
    const [kind, edition, uuid] = JSON.parse(key) as [string, string, string];
    if (kind === "story" || kind === "reference") reader.storyBytes(edition, uuid);
  }
}

/** Gives the plan of a file as it is noted. */
function plansFromNotes(
  inputs: ContentInputs,
  notes: ContentNotes,
  shown: ReadonlyMap<string, { files: ReadonlyMap<string, Piece> }>,
): (path: string) => PlannedFile {
  const editions = new Map(
    inputs.reader.manifest.editions.map((edition) => [edition.name, editionInputs(inputs, edition)]),
  );
  return (path) => {
    const { basis, own, lines } = notes.files.get(path)!;
    if (lines !== undefined) {
      const { weight } = shown.get(lines.edition)!.files.get(path)!;
      const uuids = lines.notes.map(({ id }) => id);
      return typeFile(editions.get(lines.edition)!, { path, basis, lines: { basis: lines.basis, weight }, uuids });
    }
    const { edition, uuid } = storyOfKey(own!)!;
    return markdownFile(editions.get(edition)!, { path, basis, uuid });
  };
}

import { bufferOver } from "../buffer-over.js";
import { OffprintError, type Problem } from "../errors.js";
import { anything, flag, isObject, list, map, number, object, shape, text, valueOr } from "../shape.js";
import type { Store } from "../store/store.js";
import { fitsChecksum } from "./notes-checksum.js";
import type { ShownShard, ShownShards } from "./shown-shards.js";

/** In the content folder: the list of the files that we wrote, with what each of them read. */
export const notesFile = ".offprint.json";
/**
 * In the content folder: the index of the tree. Removed first and written last, so that a build finds a whole tree or
 * none.
 */
export const indexFile = "index.json";

/** Also increased when `notingReader` answers a key in another way: an answer that was noted is taken for its own. */
export const notesFormat = 5;

/** A file that we wrote. */
export interface FileNote {
  /** Hexadecimal SHA-256 of its bytes; "" for a file that an interrupted export may have written. */
  hash: string;
  bytes: number;
  /** Hash of everything that shaped it except what it read: settings, and which records it holds. */
  basis: string;
  /** What it read of the generation: keys of {@link ContentNotes.answers}. */
  keys: readonly string[];
  /** Problems that its rendering reported. */
  problems: readonly Problem[];
  /** For a Markdown file: the key of its own story's record, which is one of `keys`. */
  own?: string | undefined;
  /** For a file of records: a note of each. `keys` and `problems` of the file are those of all its records. */
  lines?: LineNotes | undefined;
}

/** The lines of a file, in their order. */
export interface LineNotes {
  /** The edition that its stories are of. */
  edition: string;
  /** Hash of everything that shaped each line except what it read. */
  basis: string;
  notes: readonly LineNote[];
}

/** One record of a file. */
export interface LineNote {
  id: string;
  keys: readonly string[];
  problems: readonly Problem[];
  /** False when it could not be rendered, and has no line. */
  isThere: boolean;
}

/**
 * What the last export left. Every file was rendered from the answers of one generation, or would be the same if it
 * were; so there is one answer for each key.
 */
export interface ContentNotes {
  /** The generation of the answers; null: unknown. */
  generation: number | null;
  /** What that generation holds (`partsHash`); null: unknown. */
  snapshot: string | null;
  /** The stories and rows of the index in that generation. */
  shards: ShownShards;
  /** Hash of the settings that decide which files there are (`planBasis`); null: unknown. */
  plan: string | null;
  /** SHA-256 of `index.json`, which is written behind these notes; null: unknown, or not written yet. */
  index: string | null;
  /** By path. */
  files: Map<string, FileNote>;
  /** Key → short hash of the answer that the files were made with. */
  answers: Map<string, string>;
  /** The text of these notes, where they were read. */
  printed?: PrintedNotes | undefined;
}

/** The lines of notes that were read, so that those of files that stay as they are need not be printed again. */
export interface PrintedNotes {
  /** The keys of the answers, in the order of the text: lines name them by their place. */
  keys: readonly string[];
  /** Without the comma behind it. */
  lines: ReadonlyMap<FileNote, string>;
}

/** Notes as they were found. */
export interface ReadNotes extends ContentNotes {
  isDamaged: boolean;
  isMissing: boolean;
}

/** The note of a file that may be ours, and of which nothing else is known. */
export const unknownNote: FileNote = { hash: "", bytes: -1, basis: "", keys: [], problems: [] };

/** Notes of nothing. */
export function emptyNotes(): ContentNotes {
  const known = { generation: null, snapshot: null, plan: null, index: null };
  return { ...known, shards: new Map(), files: new Map(), answers: new Map() };
}

/** Notes in any format. Of another format than {@link notesFormat}, only the names of the files are read. */
interface WrittenNotes {
  format: number;
  files: Record<string, unknown>;
  generation?: unknown;
  snapshot?: unknown;
  shards?: unknown;
  plan?: unknown;
  index?: unknown;
  answers?: unknown;
}

const shardLists = map(list(list(text)));

const notesShape = object<WrittenNotes>({ format: number, files: map(anything) });

/**
 * The notes of the last export; empty when there was none. From notes in another format, or damaged ones, only the names
 * of the files are taken, so that all files are rendered again.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` when the folder holds a file of that name that is not ours
 */
export async function readNotes(store: Store): Promise<ReadNotes> {
  const bytes = await store.get(notesFile);
  if (bytes === undefined) return { ...emptyNotes(), isDamaged: false, isMissing: true };
  return { ...parseNotes(bytes), isMissing: false };
}

function parseNotes(bytes: Uint8Array): ContentNotes & { isDamaged: boolean } {
  const written = bufferOver(bytes).toString("utf8");
  const notes = parsedText(written);
  if (notesShape.is(notes)) {
    const isWhole = notes.format === notesFormat && fitsChecksum(bytes) === true;
    if (!isWhole) return { ...namesOf(Object.keys(notes.files)), isDamaged: notes.format === notesFormat };
    const found = notesFrom(notes);
    const printed = found.answers.size === 0 ? undefined : linesOfNotes(written, found);
    return { ...found, printed, isDamaged: false };
  }
  if (!written.startsWith(notesBeginning) && !notesBeginning.startsWith(written)) {
    throw new OffprintError("OUTPUT_UNUSABLE", `${notesFile} in the content folder is not a list of our files.`, {
      hint: "Choose another content.dir, or remove that file; files of an earlier export are then kept as your own.",
    });
  }
  return { ...namesOf(namesIn(written)), isDamaged: true };
}

/** Notes that name files, and say nothing else of them: all of them are rendered again. */
export function namesOf(paths: Iterable<string>): ContentNotes {
  return { ...emptyNotes(), files: new Map(Array.from(paths, (path) => [path, unknownNote])) };
}

/** Finds the lines of the files in the text of notes; undefined where they are not as `notesText` writes them. */
function linesOfNotes(whole: string, { files, answers }: ContentNotes): PrintedNotes | undefined {
  const [, ...rest] = whole.split("\n", files.size + 1);
  const lines = new Map<FileNote, string>();
  let at = 0;
  for (const [path, note] of files) {
    const line = rest[at++] ?? "";
    if (!line.startsWith(`${JSON.stringify(path)}:[`)) return undefined;
    if (note !== unknownNote) lines.set(note, line.endsWith(",") ? line.slice(0, -1) : line);
  }
  return { keys: [...answers.keys()], lines };
}

/** What notes of any format begin with. */
export const notesBeginning = '{"format":';

/** The names of files in damaged notes: they have a line each. */
function namesIn(notes: string): string[] {
  return notes.split("\n").flatMap((line) => {
    const [, name] = /^("(?:[^"\\]|\\.)+"):/.exec(line) ?? [];
    const path = name === undefined ? undefined : parseJson(Buffer.from(name));
    return text.is(path) ? [path] : [];
  });
}

function notesFrom(notes: WrittenNotes): ContentNotes {
  const answers = pairs(notes.answers);
  const names = [...answers.keys()];
  return {
    generation: valueOr(notes.generation, number, null),
    snapshot: valueOr(notes.snapshot, text, null),
    shards: shardsFrom(notes.shards),
    plan: valueOr(notes.plan, text, null),
    index: valueOr(notes.index, text, null),
    files: new Map(Object.entries(notes.files).map(([path, note]) => [path, fileNote(note, names)])),
    answers,
  };
}

function shardsFrom(value: unknown): ShownShards {
  const lists = Object.entries(valueOr(value, shardLists, {}));
  const shard = ([prefix = "", hash = "", shown = ""]: string[]): [string, ShownShard] => [prefix, { hash, shown }];
  return new Map(lists.map(([part, list]) => [part, new Map(list.map(shard))]));
}

/** The parsed value of JSON bytes; undefined when they are not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  return parsedText(bufferOver(bytes).toString("utf8"));
}

function parsedText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function pairs(value: unknown): Map<string, string> {
  const answers = new Map<string, string>();
  for (const pair of Array.isArray(value) ? value : []) {
    const [key, answer]: unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof key === "string" && typeof answer === "string") answers.set(key, answer);
  }
  return answers;
}

/** The note of a file. One that is not as we write it becomes {@link unknownNote}, and the file is rendered again. */
function fileNote(value: unknown, names: readonly string[]): FileNote {
  const [hash, bytes, basis, used, problems = [], ownPlace]: unknown[] = Array.isArray(value) ? value : [];
  if (!text.is(hash) || !number.is(bytes) || !text.is(basis)) return unknownNote;
  if (isObject(used)) {
    const lines = lineNotes(used, names);
    if (lines === undefined) return unknownNote;
    const keys = new Set(lines.notes.flatMap((line) => line.keys));
    return { hash, bytes, basis, keys: [...keys], problems: lines.notes.flatMap((line) => line.problems), lines };
  }
  const keys = keysAt(used, names);
  if (keys === undefined || !problemList.is(problems)) return unknownNote;
  return { hash, bytes, basis, keys, problems, own: number.is(ownPlace) ? names[ownPlace] : undefined };
}

function lineNotes(
  { basis, edition, notes }: Record<string, unknown>,
  names: readonly string[],
): LineNotes | undefined {
  if (!text.is(basis) || !text.is(edition) || !Array.isArray(notes)) return undefined;
  const found: LineNote[] = [];
  for (const note of notes) {
    const [id, used, problems = [], isThere = true]: unknown[] = Array.isArray(note) ? note : [];
    const keys = keysAt(used, names);
    if (!text.is(id) || keys === undefined || !problemList.is(problems) || !flag.is(isThere)) return undefined;
    found.push({ id, keys, problems, isThere });
  }
  return { basis, edition, notes: found };
}

/** Problems are shown as they were written: their inside is not looked at. */
const problemList = shape<Problem[]>("a list of problems", Array.isArray);

/** The keys at these indexes of the list; undefined when one of them has none. */
function keysAt(places: unknown, names: readonly string[]): string[] | undefined {
  if (!Array.isArray(places)) return undefined;
  const keys: string[] = [];
  for (const place of places) {
    const key = names[place];
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}

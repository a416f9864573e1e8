import { bufferOver } from "../../lib/buffer-over.js";
import { OffprintError } from "../../lib/errors.js";
import { anything, list, map, number, object, text, valueOr } from "../../lib/shape.js";
import type { Store } from "../../snapshot/store/store.js";
import type { UseCounts } from "../model/field-use.js";
import { readDueFiles } from "./due-files.js";
import { type FileNote, unknownNote } from "./file-note.js";
import { NotedAnswers, noAnswers } from "./noted-answers.js";
import { NotedFile } from "./noted-file.js";
import { checksumOf, fitsChecksum } from "./notes-checksum.js";
import type { ShownShard, ShownShards } from "./shown-shards.js";

/** In the content folder: the list of the files that we wrote, with what each of them read. */
export const notesFile = ".offprint.json";
/** The index of the tree. Removed first and written last, so that a build finds a whole tree or none. */
export const indexFile = "index.json";

/** Also increased when `notingReader` answers a key in another way: an answer that was noted is taken for its own. */
export const notesFormat = 7;

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
  /** By path. Those that were read are a {@link NotedFile} each, or {@link unknownNote}. */
  files: ReadonlyMap<string, FileNote>;
  /** Short hashes of the answers that the files were made with, by key. */
  answers: NotedAnswers;
}

/** Notes as they were found. */
export interface ReadNotes extends ContentNotes {
  isDamaged: boolean;
  isMissing: boolean;
  /** True if another version of this program wrote them: only the names of the files are used then. */
  isOther: boolean;
  /** Of the file that they were read from; null if missing or not matching. */
  checksum: string | null;
}

/** Notes of nothing. */
export function emptyNotes(): ContentNotes {
  const known = { generation: null, snapshot: null, plan: null, index: null };
  return { ...known, shards: new Map(), files: new Map(), answers: noAnswers };
}

/** Notes that name files, and say nothing else of them: all of them are rendered again. */
export function namesOf(paths: Iterable<string>): ContentNotes {
  return { ...emptyNotes(), files: new Map(Array.from(paths, (path) => [path, unknownNote])) };
}

/**
 * The notes of the last export; empty when there was none. From notes in another format, or damaged ones, only the names
 * of the files are taken, so that all files are rendered again. So are files that an interrupted export may have written.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` when the folder holds a file of that name that is not ours
 */
export async function readNotes(store: Store): Promise<ReadNotes> {
  const bytes = await store.get(notesFile);
  const read = { isDamaged: false, isMissing: false, isOther: false, checksum: null };
  if (bytes === undefined) return { ...emptyNotes(), ...read, isMissing: true };
  const notes = { ...parseNotes(bytes), isMissing: false };
  const due = notes.checksum === null ? undefined : await readDueFiles(store, notes.checksum);
  if (due === undefined) return notes;
  if (due === "damaged") return { ...namesOf(notes.files.keys()), ...read, isDamaged: true };
  return { ...notes, index: null, files: new Map([...notes.files, ...namesOf(due).files]) };
}

/** The text of notes around the lines of files and answers. */
export const notesFrame = {
  start: '{"format":',
  files: ',"files":{\n',
  answers: '\n},"answers":[\n',
  end: "\n]}\n",
  between: ",\n",
};

function parseNotes(bytes: Uint8Array): Omit<ReadNotes, "isMissing"> {
  const written = bufferOver(bytes).toString("utf8");
  const whole = fitsChecksum(bytes) === true ? wholeNotes(written) : undefined;
  const read = { isDamaged: false, isOther: false, checksum: null };
  if (whole !== undefined) return { ...whole, ...read, checksum: checksumOf(bytes) ?? null };
  const notes = parsedText(written);
  if (namedFiles.is(notes)) {
    const isOther = notes.format !== notesFormat;
    return { ...namesOf(Object.keys(notes.files)), ...read, isDamaged: !isOther, isOther };
  }
  const isLeft = written.startsWith(notesFrame.start) || notesFrame.start.startsWith(written) || isBlank(written);
  if (!isLeft) {
    throw new OffprintError("OUTPUT_UNUSABLE", `${notesFile} in the content folder was not written by offprint.`, {
      hint: "Choose another content.dir, or move that file away.",
    });
  }
  return { ...namesOf(namesIn(written)), ...read, isDamaged: true };
}

/** True if a text says nothing: a power cut may leave zeros in place of a file's first block, or of all of it. */
function isBlank(written: string): boolean {
  return written.startsWith("\0") || ["", "{}", "null"].includes(written.trim());
}

/** Notes in any format. */
const namedFiles = object<{ format: number; files: Record<string, unknown> }>({ format: number, files: map(anything) });

/** What notes begin with. */
interface NotesHead {
  format: number;
  generation?: unknown;
  snapshot?: unknown;
  shards?: unknown;
  plan?: unknown;
  index?: unknown;
}

/** Notes that are as they were written, which their checksum has proved; undefined for another format. */
function wholeNotes(written: string): ContentNotes | undefined {
  const headEnd = written.indexOf(notesFrame.files);
  const filesEnd = written.indexOf(notesFrame.answers, headEnd);
  const answersEnd = written.lastIndexOf("\n]");
  if (headEnd < 0 || filesEnd < 0 || answersEnd < filesEnd) return undefined;
  const head = parsedText(`${written.slice(0, headEnd)}}`) as NotesHead | undefined;
  if (head?.format !== notesFormat) return undefined;
  const answerLines = linesIn(written.slice(filesEnd + notesFrame.answers.length, answersEnd));
  const answers = new NotedAnswers(answerLines);
  const fileLines = linesIn(written.slice(headEnd + notesFrame.files.length, filesEnd));
  const files = fileLines.map((line): [string, FileNote] => {
    const name = nameIn(line) ?? "";
    return [JSON.parse(name) as string, new NotedFile(line.slice(name.length + 1), answers)];
  });
  return {
    generation: valueOr(head.generation, number, null),
    snapshot: valueOr(head.snapshot, text, null),
    shards: shardsFrom(head.shards),
    plan: valueOr(head.plan, text, null),
    index: valueOr(head.index, text, null),
    files: new Map(files),
    answers,
  };
}

function linesIn(section: string): string[] {
  return section === "" ? [] : section.split(notesFrame.between);
}

/** The JSON text that a line begins with, before a colon. */
function nameIn(line: string): string | undefined {
  return /^"(?:[^"\\]|\\.)+"(?=:)/.exec(line)?.[0];
}

/** The names of files in damaged notes: they have a line each. */
function namesIn(notes: string): string[] {
  return notes.split("\n").flatMap((line) => {
    const path = parsedText(nameIn(line) ?? "");
    return text.is(path) ? [path] : [];
  });
}

const shardLists = map(list(list(anything)));

function shardsFrom(value: unknown): ShownShards {
  const lists = Object.entries(valueOr(value, shardLists, {}));
  // They are as they were written, which the checksum has proved.
  const shard = (written: unknown[]): [string, ShownShard] => {
    const [prefix, hash, shown, uses] = written as [string, string, string, UseCounts?];
    return [prefix, uses === undefined ? { hash, shown } : { hash, shown, uses }];
  };
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

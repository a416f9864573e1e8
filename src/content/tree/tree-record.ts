import { bufferOver } from "../../lib/buffer-over.js";
import { OffprintError, type Problem } from "../../lib/errors.js";
import { anything, map, number, object, text } from "../../lib/shape.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { shardOfKey } from "../../snapshot/shard-trie.js";
import type { Store } from "../../snapshot/store/store.js";
import type { UseCounts } from "../model/field-use.js";
import { readDueFiles } from "./due-files.js";
import type { FileNote } from "./file-note.js";
import { readNotes, withChecksum } from "./notes-checksum.js";
import { partFiles, WrittenPart } from "./record-part.js";
import type { ShownShard, ShownShards } from "./shown-shards.js";
import {
  allLines,
  assertPlain,
  type Chunk,
  isAsNamed,
  isRecordFile,
  readRecordFile,
  recordFile,
  recordFolder,
} from "./sorted-chunks.js";

/** In the content folder: the head of the record, which names its other files. */
export const recordHead = ".offprint.json";
/** The index of the tree. Removed first and written last, so that a build finds a whole tree or none. */
export const indexFile = "index.json";

/** Also increased when `notingReader` answers a key in another way: an answer that was noted is taken for its own. */
export const recordFormat = 9;

/** The part of files that show no story, such as datasources. */
export const partOfNoStory = "-";

/** What the head says. */
export interface RecordHead {
  /** The generation of the answers; null: unknown. */
  generation: number | null;
  /** What that generation holds (`partsHash`); null: unknown. */
  snapshot: string | null;
  /** The stories and rows of the index in that generation. */
  shards: ShownShards;
  /** Hash of the settings that decide which files there are (`planBasis`); null: unknown. */
  plan: string | null;
  /** SHA-256 of `index.json`, which is written behind the head; null: unknown, or not written yet. */
  index: string | null;
  /** The hash of each part by its name: the files of the stories that a shard of the snapshot holds. */
  parts: ReadonlyMap<string, string>;
  /** Every file, by path: {@link NamedFile}. */
  names: readonly Chunk[];
  /** Every answer that a file read, by key: {@link NotedAnswer}. */
  readers: readonly Chunk[];
}

/**
 * What the last export left. Every file was rendered from the answers of one generation, or would be the same if it
 * were; so there is one answer for each key.
 */
export interface TreeRecord extends RecordHead {
  /** Files that may be ours, with the hash of their bytes, "" where that is unknown: they are rendered again. */
  unknown: ReadonlyMap<string, string>;
  isDamaged: boolean;
  isMissing: boolean;
  /** True if another version of this program wrote it: only the names of the files are used then. */
  isOther: boolean;
  /** Of the head; null if it is missing or damaged, and no part is known. */
  checksum: string | null;
}

/** The record of nothing. */
function emptyRecord(unknown: ReadonlyMap<string, string> = new Map()): TreeRecord {
  const known = { generation: null, snapshot: null, plan: null, index: null, checksum: null };
  const files = { shards: new Map(), parts: new Map(), names: [], readers: [], unknown };
  return { ...known, ...files, isDamaged: false, isMissing: false, isOther: false };
}

/**
 * The record of the last export; empty when there was none. From one in another format, or a damaged one, only the names
 * of the files are taken, so that all of them are rendered again. So are files that an interrupted export may have written.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` when the folder holds a file of that name that is not ours
 */
export async function readRecord(store: Store): Promise<TreeRecord> {
  const bytes = await store.get(recordHead);
  const whole = bytes && wholeHead(bytes);
  const due = await readDueFiles(store);
  if (whole !== undefined) {
    const record = { ...emptyRecord(), ...whole };
    if (due === undefined || (due !== "damaged" && due.notes !== whole.checksum)) return record;
    if (due === "damaged") return namesOnly(store, record);
    return { ...record, index: null, unknown: due.files };
  }
  const left = due === undefined || due === "damaged" ? new Map<string, string>() : due.files;
  if (bytes === undefined) return { ...emptyRecord(left), isMissing: true };
  const other = filesOfOther(bytes);
  const found = await filesLeft(store);
  if (other !== undefined) return { ...emptyRecord(new Map([...found, ...other, ...left])), isOther: true };
  return { ...emptyRecord(new Map([...found, ...left])), isDamaged: true };
}

/** What is left of a record of which a file is damaged. */
export async function namesOnly(store: Store, { unknown }: TreeRecord): Promise<TreeRecord> {
  return { ...emptyRecord(new Map([...(await filesLeft(store)), ...unknown])), isDamaged: true };
}

/**
 * The files that whatever is left of the record names, with their hashes where a whole part says them. A line is believed on its own
 * where its file is damaged: it names a file that was ours.
 */
async function filesLeft(store: Store): Promise<Map<string, string>> {
  const hashes = new Map<string, Set<string>>();
  for (const name of await store.names(recordFolder)) {
    const bytes = isRecordFile(name) ? await store.get(name) : undefined;
    if (bytes === undefined) continue;
    const isWhole = isAsNamed(name, bytes);
    for (const line of Buffer.from(bytes).toString("utf8").split("\n")) {
      const [path, hash] = fileIn(line) ?? [];
      if (path === undefined) continue;
      const found = hashes.get(path) ?? new Set();
      hashes.set(path, isWhole && hash !== undefined ? found.add(hash) : found);
    }
  }
  // Of two hashes it is not known which export was the last one.
  return new Map([...hashes].map(([path, found]) => [path, found.size === 1 ? [...found][0]! : ""]));
}

/** The file that a line of a part or of the list of names tells of. */
function fileIn(line: string): [path: string, hash?: string] | undefined {
  if (!line.startsWith("[")) {
    const path = /^([^\t]+)\t\d+\t/.exec(line)?.[1];
    return path === undefined ? undefined : [path];
  }
  const note = parsedText(line);
  const isNote = Array.isArray(note) && text.is(note[0]) && text.is(note[1]) && number.is(note[2]);
  return isNote ? [note[0] as string, note[1] as string] : undefined;
}

/** The paths of the files that the head names. */
export function filesOf({ parts, names, readers }: Pick<RecordHead, "parts" | "names" | "readers">): string[] {
  return [...parts.values(), ...[...names, ...readers].map(({ hash }) => hash)].map(recordFile);
}

/** The files of a part. @throws RecordDamage */
export async function readPart(store: Store, { parts }: Pick<RecordHead, "parts">, name: string): Promise<WrittenPart> {
  const hash = parts.get(name);
  return hash === undefined ? new WrittenPart([], []) : partFiles(await readRecordFile(store, hash));
}

/** The notes of all files, one part after the other. @throws RecordDamage */
export async function* allFiles(store: Store, record: RecordHead): AsyncGenerator<[path: string, note: FileNote]> {
  for (const name of record.parts.keys()) yield* await readPart(store, record, name);
}

/** Gives the part of a file: that of the shard of its first story. */
export function partNamer({ editions, parts: shards }: Pick<Manifest, "editions" | "parts">) {
  const places = new Map(
    editions.map(({ name }, place) => [name, { place, of: shards[parts.stories(name)]?.shards ?? [] }]),
  );
  return (stories: { edition: string; uuids: readonly string[] } | undefined): string => {
    const found = stories && places.get(stories.edition);
    const at = found && shardOfKey(found.of, stories.uuids[0] ?? "");
    return at === undefined ? partOfNoStory : `${found!.place}.${found!.of[at]!.prefix}`;
  };
}

/** The parts that an export of this generation may have. */
export function partNames({ editions, parts: shards }: Pick<Manifest, "editions" | "parts">): Set<string> {
  const ofStories = editions.flatMap(({ name }, place) => {
    return (shards[parts.stories(name)]?.shards ?? []).map(({ prefix }) => `${place}.${prefix}`);
  });
  return new Set([partOfNoStory, ...ofStories]);
}

/** What is noted of each file in the order of their paths: enough to see that it is there, and to plan JSON files. */
export interface NamedFile {
  path: string;
  bytes: number;
  part: string;
  problems: readonly Problem[];
  /** Of a JSON file: its first and its last story, how many it holds, and what they weigh. */
  stories?: NamedStories | undefined;
}

export type NamedStories = readonly [first: string, last: string, records: number, weight: number];

export function nameLine(path: string, part: string, { bytes, problems, lines }: FileNote): string {
  const start = `${assertPlain(path)}\t${bytes}\t${part}`;
  if (lines === undefined && problems.length === 0) return start;
  const stories = lines && storiesOf(lines);
  return `${start}\t${JSON.stringify(stories === undefined ? [problems] : [problems, stories])}`;
}

export function storiesOf({ notes, weight }: NonNullable<FileNote["lines"]>): NamedStories {
  return [notes[0]?.id ?? "0", notes.at(-1)?.id ?? "0", notes.length, weight];
}

/** Every file by path, with one chunk in memory. @throws RecordDamage */
export async function* namedFiles(store: Store, { names }: Pick<RecordHead, "names">): AsyncGenerator<NamedFile> {
  for await (const line of allLines(store, names)) {
    const [path = "", bytes, part = "", more] = line.split("\t");
    const [problems, stories] = more === undefined ? [[]] : (JSON.parse(more) as [Problem[], NamedStories?]);
    yield { path, bytes: Number(bytes), part, problems, stories };
  }
}

type Written = [string, string, true?][];

interface WrittenHead extends Pick<RecordHead, "generation" | "snapshot" | "plan" | "index"> {
  format: number;
  shards: Record<string, [string, string, string, UseCounts?][]>;
  parts: [string, string][];
  names: Written;
  readers: Written;
}

/** The text of a head, with its checksum. */
export function headText({ generation, snapshot, shards, plan, index, parts, names, readers }: RecordHead): string {
  const chunks = (list: readonly Chunk[]): Written =>
    list.map(({ first, hash, isMixed }) => (isMixed ? [first, hash, true] : [first, hash]));
  const written = [...shards.keys()].sort().map((part) => {
    const ofPart = [...shards.get(part)!].map(([prefix, { hash, shown, uses }]) => {
      return uses === undefined ? [prefix, hash, shown] : [prefix, hash, shown, uses];
    });
    return [part, ofPart];
  });
  const head = {
    ...{ format: recordFormat, generation, snapshot, plan, index, shards: Object.fromEntries(written) },
    ...{ parts: [...parts].sort(([a], [b]) => (a < b ? -1 : 1)), names: chunks(names), readers: chunks(readers) },
  };
  return withChecksum(JSON.stringify(head));
}

/** A head that is as it was written, which its checksum has proved; undefined for another. */
export function wholeHead(bytes: Uint8Array): (RecordHead & { checksum: string }) | undefined {
  const { notes, checksum } = readNotes(bytes) ?? {};
  const head = notes as WrittenHead | undefined;
  if (checksum === undefined || head?.format !== recordFormat) return undefined;
  const { generation, snapshot, plan, index } = head;
  const chunks = (list: Written): Chunk[] =>
    list.map(([first, hash, isMixed]) => ({ first, hash, ...(isMixed && { isMixed }) }));
  const shards = Object.entries(head.shards).map(([part, list]) => {
    return [
      part,
      new Map(list.map(([prefix, hash, shown, uses]): [string, ShownShard] => [prefix, { hash, shown, uses }])),
    ] as const;
  });
  const files = { parts: new Map(head.parts), names: chunks(head.names), readers: chunks(head.readers) };
  return { generation, snapshot, plan, index, shards: new Map(shards), ...files, checksum };
}

const formats = object<{ format: number }>({ format: number });
/** The list of files of earlier versions: the hash of a file is the first thing that is noted of it. */
const listOfOther = object<{ format: number; files: Record<string, unknown> }>({
  format: number,
  files: map(anything),
});

/**
 * The files that another version of this program has noted; undefined for a damaged head of this one.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` for a file that is not ours
 */
function filesOfOther(bytes: Uint8Array): Map<string, string> | undefined {
  const head = parseJson(bytes);
  if (listOfOther.is(head)) {
    const hashOf = (note: unknown) => (Array.isArray(note) && text.is(note[0]) ? note[0] : "");
    return new Map(Object.entries(head.files).map(([path, note]) => [path, hashOf(note)]));
  }
  if (formats.is(head)) return head.format === recordFormat ? undefined : new Map();
  const written = bufferOver(bytes.subarray(0, 100)).toString("utf8");
  const beginning = '{"format":';
  // A power cut may leave zeros in place of a file's first block, or of all of it.
  const isBlank = written.startsWith("\0") || ["", "{}", "null"].includes(written.trim());
  if (isBlank || written.startsWith(beginning) || beginning.startsWith(written)) return undefined;
  throw new OffprintError("OUTPUT_UNUSABLE", `${recordHead} in the content folder was not written by offprint.`, {
    hint: "Choose another content.dir, or move that file away.",
  });
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

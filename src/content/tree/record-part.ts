import type { Problem } from "../../lib/errors.js";
import type { FileNote, LineNote } from "./file-note.js";

/** What the last export wrote of the stories of one shard: by path. */
export type PartFiles = ReadonlyMap<string, FileNote>;

/** The places of the keys that a file read. */
type Places = readonly number[];
/** The last two only where one of them is not as in most notes: no problems, and a line that is there. */
type WrittenLine = readonly [id: string, read: Places, problems?: readonly Problem[], isThere?: boolean];
type WrittenLines = readonly [edition: string, basis: string, weight: number, notes: readonly WrittenLine[]];
type WrittenFile = readonly [
  path: string,
  hash: string,
  bytes: number,
  basis: string,
  read: Places,
  problems?: readonly Problem[],
  own?: number | null,
  lines?: WrittenLines,
];

/** The files of a part as they were read. */
export class WrittenPart extends Map<string, FileNote> {
  /** All that they read, sorted. */
  readonly allKeys: readonly string[];
  readonly #lines: ReadonlyMap<string, string>;

  constructor(allKeys: readonly string[], files: readonly (readonly [path: string, note: FileNote, line: string])[]) {
    super(files.map(([path, note]) => [path, note]));
    this.allKeys = allKeys;
    this.#lines = new Map(files.map(([path, , line]) => [path, line]));
  }

  /** The line of a file with this very note; undefined for another note. */
  lineOf(path: string, note: FileNote): string | undefined {
    return this.get(path) === note ? this.#lines.get(path) : undefined;
  }

  /** True if these files read together what its own read: each what the file of its path read. */
  readsSame(files: PartFiles): boolean {
    if (files.size !== this.size) return false;
    return [...files].every(([path, { keys }]) => {
      const own = this.get(path)?.keys;
      return own === keys || (own !== undefined && sortedLines(own) === sortedLines(keys));
    });
  }
}

function sortedLines(keys: readonly string[]): string {
  return [...keys].sort().join("\n");
}

/**
 * The text of a part: a line of all keys, sorted; then a line for each file, by path.
 * @param earlier its text before: lines of the same files are taken from it
 * @returns also the keys; they are those of the earlier one where nothing else is read
 */
export function partText(files: PartFiles, earlier?: WrittenPart): { text: string; keys: readonly string[] } {
  const isSame = earlier?.readsSame(files) === true;
  const keys = isSame ? earlier.allKeys : [...new Set([...files.values()].flatMap((note) => note.keys))].sort();
  const places = new Map(keys.map((key, place) => [key, place]));
  const lines = [...files.keys()].sort().map((path) => {
    const note = files.get(path)!;
    return (isSame ? earlier.lineOf(path, note) : undefined) ?? JSON.stringify(writtenFile(path, note, places));
  });
  return { text: [JSON.stringify(keys), ...lines].map((line) => `${line}\n`).join(""), keys };
}

function writtenFile(
  path: string,
  { hash, bytes, basis, keys, problems, own, lines }: FileNote,
  places: ReadonlyMap<string, number>,
): WrittenFile {
  const placesOf = (names: readonly string[]) => names.map((name) => places.get(name)!).sort((a, b) => a - b);
  const start = [path, hash, bytes, basis] as const;
  if (lines !== undefined) {
    const notes = lines.notes.map(({ id, keys: ofLine, problems, isThere }): WrittenLine => {
      const note = [id, placesOf(ofLine)] as const;
      return isThere && problems.length === 0 ? note : [...note, problems, isThere];
    });
    // The file read what its lines read, and reported what they reported.
    return [...start, [], [], null, [lines.edition, lines.basis, lines.weight, notes]];
  }
  const plain = [...start, placesOf(keys)] as const;
  if (own !== undefined) return [...plain, problems, places.get(own)!];
  return problems.length === 0 ? plain : [...plain, problems];
}

/** The inverse of {@link partText}. */
export function partFiles(text: string): WrittenPart {
  const [first = "[]", ...lines] = text.split("\n").slice(0, -1);
  const keys = JSON.parse(first) as string[];
  const keysAt = (places: Places) => places.map((place) => keys[place]!);
  return new WrittenPart(
    keys,
    lines.map((line) => {
      const [path, hash, bytes, basis, read, problems = [], own, ofLines] = JSON.parse(line) as WrittenFile;
      const start = { hash, bytes, basis };
      if (ofLines === undefined) {
        return [path, { ...start, keys: keysAt(read), problems, own: own == null ? undefined : keys[own] }, line];
      }
      const [edition, basisOfLines, weight, written] = ofLines;
      const notes = written.map(([id, places, problems = [], isThere = true]): LineNote => {
        return { id, keys: keysAt(places), problems, isThere };
      });
      return [path, { ...start, ...ofAllLines(notes), lines: { edition, basis: basisOfLines, weight, notes } }, line];
    }),
  );
}

/** What the lines of a file read and reported. */
export function ofAllLines(notes: readonly LineNote[]): Pick<FileNote, "keys" | "problems"> {
  return {
    keys: [...new Set(notes.flatMap(({ keys }) => keys))],
    problems: distinct(notes.flatMap(({ problems }) => problems)),
  };
}

export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.code} ${problem.message}`, problem])).values()];
}

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

/** All that the files of a part read, sorted. */
export function keysIn(files: PartFiles): string[] {
  return [...new Set([...files.values()].flatMap((note) => note.keys))].sort();
}

/** The text of a part: a line of all keys, sorted; then a line for each file, by path. */
export function partText(files: PartFiles): string {
  const keys = keysIn(files);
  const places = new Map(keys.map((key, place) => [key, place]));
  const placesOf = (names: readonly string[]) => names.map((name) => places.get(name)!).sort((a, b) => a - b);
  const lines = [...files.keys()].sort().map((path) => {
    const { hash, bytes, basis, keys: read, problems, own, lines } = files.get(path)!;
    const start = [path, hash, bytes, basis] as const;
    if (lines !== undefined) {
      const notes = lines.notes.map(({ id, keys: ofLine, problems, isThere }): WrittenLine => {
        const note = [id, placesOf(ofLine)] as const;
        return isThere && problems.length === 0 ? note : [...note, problems, isThere];
      });
      // The file read what its lines read, and reported what they reported.
      return [...start, [], [], null, [lines.edition, lines.basis, lines.weight, notes]] satisfies WrittenFile;
    }
    const plain = [...start, placesOf(read)] as const;
    if (own !== undefined) return [...plain, problems, places.get(own)!] satisfies WrittenFile;
    return problems.length === 0 ? plain : [...plain, problems];
  });
  return [keys, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The inverse of {@link partText}. */
export function partFiles(text: string): Map<string, FileNote> {
  const [first = "[]", ...lines] = text.split("\n").slice(0, -1);
  const keys = JSON.parse(first) as string[];
  const keysAt = (places: Places) => places.map((place) => keys[place]!);
  return new Map(
    lines.map((line): [string, FileNote] => {
      const [path, hash, bytes, basis, read, problems = [], own, ofLines] = JSON.parse(line) as WrittenFile;
      const start = { hash, bytes, basis };
      if (ofLines === undefined) {
        return [path, { ...start, keys: keysAt(read), problems, own: own == null ? undefined : keys[own] }];
      }
      const [edition, basisOfLines, weight, written] = ofLines;
      const notes = written.map(([id, places, problems = [], isThere = true]): LineNote => {
        return { id, keys: keysAt(places), problems, isThere };
      });
      return [path, { ...start, ...ofAllLines(notes), lines: { edition, basis: basisOfLines, weight, notes } }];
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

import type { EditionEntry } from "../../snapshot/manifest.js";
import { type EarlierAnswers, isSameAnswer, keyStart, type NotingReader } from "../../snapshot/reader/noting-reader.js";
import type { FileNote } from "./file-note.js";
import type { NotedAnswers, PlaceRange } from "./noted-answers.js";
import { NotedFile, placesOf } from "./noted-file.js";

/** Which of the answers that were noted are others now. */
export interface ChangedAnswers {
  /** True if the answer at a place of the notes is another one now. */
  has(place: number): boolean;
  /** True if a file read one of them; true also of a file of which it is not known what it read. */
  areReadBy(note: FileNote): boolean;
}

export interface ChangedAnswersOptions
  extends Pick<NotingReader, "answer">,
    Pick<EarlierAnswers, "isSameStory" | "hasSameSlugs"> {
  /** Those of the notes. */
  answers: NotedAnswers;
  editions: readonly Pick<EditionEntry, "name">[];
}

/** Compares noted answers with those of now, as soon as one of them is asked about. */
export function changedAnswers(options: ChangedAnswersOptions): ChangedAnswers {
  let flags: Uint8Array | undefined;
  const has = (place: number): boolean => {
    flags ??= comparedAnswers(options);
    return flags[place] === 1;
  };
  return {
    has,
    areReadBy(note) {
      const written = note instanceof NotedFile ? note.parsed() : undefined;
      // A file without a hash is one that an interrupted export may have written.
      return written === undefined || written[0] === "" || placesOf(written).some(has);
    },
  };
}

/** 1 at the place of each answer that is another one now. Skips parsing the keys of unchanged stories. */
function comparedAnswers(options: ChangedAnswersOptions): Uint8Array {
  const { answers, answer } = options;
  const flags = new Uint8Array(answers.size);
  let place = 0;
  const compareUpTo = (end: number, isSame: (line: string) => boolean = () => false): void => {
    for (; place < end; place += 1) {
      if (isSame(answers.lines[place]!)) continue;
      const [key, before] = answers.at(place);
      if (!isSameAnswer(answer(key), before)) flags[place] = 1;
    }
  };
  for (const { from, to, isSame } of rangesOfStories(options)) {
    compareUpTo(from);
    compareUpTo(to, isSame);
  }
  compareUpTo(answers.size);
  return flags;
}

interface StoryRange extends PlaceRange {
  /** True if the answer of a line is known to be the same. */
  isSame(line: string): boolean;
}

/** The answers about stories of each edition, in the order of their places. */
function rangesOfStories({ answers, editions, isSameStory, hasSameSlugs }: ChangedAnswersOptions): StoryRange[] {
  const ranges = editions.flatMap(({ name: edition }): StoryRange[] => {
    const ofStories = (["reference", "story"] as const).map((kind): StoryRange => {
      const start = keyStart(kind, edition);
      // A line is JSON of a list whose first text is the key, which is JSON itself.
      const uuidAt = JSON.stringify([`${start}"`]).length - '"]'.length;
      const isSame = (line: string) => isSameStory(edition, line.slice(uuidAt, uuidAt + uuidStart));
      return { ...answers.placesOf(start), isSame };
    });
    const slugs = answers.placesOf(keyStart("slug", edition));
    return [...ofStories, { ...slugs, isSame: () => hasSameSlugs(edition) }];
  });
  return ranges.sort((a, b) => a.from - b.from || a.to - b.to);
}

/** So many digits of a uuid, and the hyphen behind them, say in which shard its story lies. */
const uuidStart = 9;

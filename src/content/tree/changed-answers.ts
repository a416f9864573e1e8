import { allLinks } from "../../snapshot/reader/link-rows.js";
import { isSameAnswer, type NotingReader } from "../../snapshot/reader/noting-reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { keyOfLine, linesOfFile } from "./sorted-chunks.js";
import type { RecordHead } from "./tree-record.js";

/** An answer that files read, as it was noted. */
export interface NotedAnswer {
  key: string;
  /** Its short hash. */
  answer: string;
  /** The parts that hold these files, sorted. */
  parts: readonly string[];
}

export function answerLine({ key, answer, parts }: NotedAnswer): string {
  return `${key}\t${answer}\t${parts.join(" ")}`;
}

export function answerOfLine(line: string): NotedAnswer {
  const [key = "", answer = "", parts = ""] = line.split("\t");
  return { key, answer, parts: parts.split(" ") };
}

/** Which of the answers that were noted are others now. */
export interface ChangedAnswers {
  /** What their keys are answered with now. */
  keys: ReadonlyMap<string, string>;
  /** The parts of which a file read one of them. */
  parts: ReadonlySet<string>;
}

/** What is known of the answers without a look at them. */
export interface KnownAnswers {
  /** True if an edition has the same stories at the same slugs and real paths. */
  hasSameSlugs(edition: string): boolean;
  /** See `rowsInCommon`. */
  hasSameRows(version: string, range: string): boolean;
  /** See `storiesInCommon`. */
  isSameStory(edition: string, uuid: string, last?: string): boolean;
}

export interface ChangedAnswersOptions extends Pick<NotingReader, "answer">, KnownAnswers {
  store: Store;
  record: Pick<RecordHead, "readers">;
}

/**
 * Compares noted answers with those of now. Answers about stories of unchanged shards are not looked at, and a file that
 * holds nothing else is not read.
 *
 * @throws RecordDamage
 */
export async function changedAnswers(options: ChangedAnswersOptions): Promise<ChangedAnswers> {
  const { store, record, answer } = options;
  const [keys, parts] = [new Map<string, string>(), new Set<string>()];
  for (const [at, chunk] of record.readers.entries()) {
    if (!chunk.isMixed && areSame(chunk.first, record.readers[at + 1]?.first ?? "", options)) continue;
    for (const line of await linesOfFile(store, chunk)) {
      if (areSame(keyOfLine(line), undefined, options)) continue;
      const noted = answerOfLine(line);
      const now = answer(noted.key);
      if (isSameAnswer(now, noted.answer)) continue;
      keys.set(noted.key, now);
      for (const part of noted.parts) parts.add(part);
    }
  }
  return { keys, parts };
}

/** True if the answers from one key to the other are known to be the same. @param last undefined: that of the one key */
function areSame(first: string, last: string | undefined, known: KnownAnswers): boolean {
  const [start = "", kind, edition = "", uuid = ""] = keyOfEdition.exec(first) ?? [];
  if (kind === undefined || (last !== undefined && !last.startsWith(start.slice(0, start.length - uuid.length))))
    return false;
  if (kind === "links") return known.hasSameRows(edition, last === undefined ? JSON.parse(first)[2] : allLinks);
  if (kind === "slug" || kind === "path") return known.hasSameSlugs(edition);
  return known.isSameStory(edition, uuid, last === undefined ? uuid : (keyOfEdition.exec(last)?.[3] ?? ""));
}

/** True for a story's uuid in another form, such as in capitals: it is sorted elsewhere than its shard. */
export function isOddKey(key: string): boolean {
  return /^\["(?:story|reference)","[^"\\]*","(?![0-9a-f]{8}-)/.test(key);
}

/** The start of a key. Eight digits of a uuid and the hyphen behind them say in which shard a story lies. */
const keyOfEdition = /^\["(story|reference|slug|path|links)","([^"\\]*)"(?:,"([^"\\]{0,9}))?/;

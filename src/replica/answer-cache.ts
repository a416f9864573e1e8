import type { Reader } from "../reader/reader.js";
import type { ReplicaResponse } from "./replica.js";

/** Bytes of bodies that are kept, and of the largest that is. */
const keptBytes = 8 * 1024 * 1024;
const largest = 1024 * 1024;
/** An answer is kept when it was among so many last ones already. */
const recent = 64;

/**
 * Answers as they were sent, of requests that come again and again: what every page of a site asks for (its settings, its
 * navigation) is not put together anew each time. Those that were not asked for the longest time go first, and all of them
 * when a generation changes. Reading a whole list page by page pushes none out.
 */
export interface AnswerCache {
  get(key: string): ReplicaResponse | undefined;
  /** The generations as they are now. */
  current(): readonly Reader[];
  /**
   * An answer that was made: kept if it comes again. Its body is copied.
   *
   * @param madeFrom What {@link AnswerCache.current} told before: if it is another one now, the answer is not kept.
   */
  offer(key: string, answer: ReplicaResponse, madeFrom: readonly Reader[]): void;
}

/** @param readers The generations that answers are made from. */
export function createAnswerCache(readers: readonly (() => Reader)[]): AnswerCache {
  const answers = new Map<string, ReplicaResponse>();
  const offered = new Set<string>();
  let generations: readonly Reader[] = [];
  let bytes = 0;
  const current = (): readonly Reader[] => {
    if (generations.length > 0 && readers.every((reader, at) => reader() === generations[at])) return generations;
    generations = readers.map((reader) => reader());
    answers.clear();
    offered.clear();
    bytes = 0;
    return generations;
  };
  const remove = (key: string): void => {
    bytes -= answers.get(key)?.body.byteLength ?? 0;
    answers.delete(key);
  };
  /** Whether a key comes again; it is noted if not. */
  const comesAgain = (key: string): boolean => {
    if (offered.delete(key)) return true;
    offered.add(key);
    if (offered.size > recent) offered.delete(offered.keys().next().value!);
    return false;
  };
  return {
    current,
    get(key) {
      current();
      const answer = answers.get(key);
      if (answer === undefined) return undefined;
      answers.delete(key);
      answers.set(key, answer);
      return answer;
    },
    offer(key, { status, headers, body }, madeFrom) {
      if (madeFrom !== current() || status !== 200 || body.byteLength > largest || !comesAgain(key)) return;
      remove(key);
      answers.set(key, { status, headers, body: new Uint8Array(body) });
      bytes += body.byteLength;
      while (bytes > keptBytes) remove(answers.keys().next().value!);
    },
  };
}

import { Lru } from "../../../lib/collections/lru.js";
import type { Reader } from "../../../snapshot/reader/reader.js";
import type { ReplicaAnswer } from "../answers/answer.js";
import type { WholeResponse } from "./exchange.js";

/** Limit for all kept responses, and for the largest body, in bytes. */
const keptBytes = 8 * 1024 * 1024;
const largestBody = 1024 * 1024;
/** Approximate memory of a response besides its key and body. */
const overheadBytes = 1024;
/** Approximate limits for all kept answers of views, and for one of their pieces, in bytes. */
const keptAnswerBytes = 4 * 1024 * 1024;
const pieceBytes = 120;
/** Responses with a longer key are not kept, in characters. */
export const longestKey = 2000;
/** A response is kept when it is made again within this many other keys. */
const recentKeys = 64;

export type ResponseCache = ReturnType<typeof createResponseCache>;

/**
 * Drops everything when a generation changes. A list read page by page evicts nothing: each page is asked for once.
 * Answers that are views of the snapshot's bytes are kept separately: they take a hundredth of the memory.
 */
export function createResponseCache(readers: readonly (() => Reader)[]) {
  const weigh = ({ body }: WholeResponse, key: string) => body.byteLength + key.length + overheadBytes;
  const responses = new Lru<string, WholeResponse>(keptBytes, weigh);
  const weighAnswer = ({ body }: ReplicaAnswer, key: string) => body.length * pieceBytes + key.length + overheadBytes;
  const answers = new Lru<string, ReplicaAnswer>(keptAnswerBytes, weighAnswer);
  const offered = new Lru<string, true>(recentKeys);
  let generations: readonly Reader[] = [];
  const current = (): readonly Reader[] => {
    if (generations.length > 0 && readers.every((reader, at) => reader() === generations[at])) return generations;
    generations = readers.map((reader) => reader());
    responses.clear();
    answers.clear();
    offered.clear();
    return generations;
  };
  const noteOffer = (key: string): boolean => {
    if (offered.delete(key)) return true;
    offered.set(key, true);
    return false;
  };
  return {
    /** The current generations: the same array until one changes, which drops all responses. */
    current,
    get(key: string): WholeResponse | undefined {
      current();
      return responses.get(key);
    },
    answer(key: string): ReplicaAnswer | undefined {
      current();
      return answers.get(key);
    },
    /** Keeps an answer of views; `madeFrom` as in `offer`. */
    keepAnswer(key: string, answer: ReplicaAnswer, madeFrom: readonly Reader[]): void {
      const isKept = answer.ofViews === true && answer.status === 200 && key.length <= longestKey;
      if (isKept && madeFrom === current()) answers.set(key, answer);
    },
    /**
     * Keeps a copy if its key was offered recently, or if there is room and `isAgain`: it was requested before.
     * Drops it if `current` has changed since `madeFrom`.
     */
    offer(key: string, response: WholeResponse, madeFrom: readonly Reader[], isAgain = false): void {
      const { status, headers, body } = response;
      if (madeFrom !== current() || status !== 200) return;
      if (body.byteLength > largestBody || key.length > longestKey) return;
      if (!noteOffer(key) && !(isAgain && responses.hasRoomFor(key, response))) return;
      responses.set(key, { status, headers, body: new Uint8Array(body) });
    },
  };
}

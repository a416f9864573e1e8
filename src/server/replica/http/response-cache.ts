import { Lru } from "../../../lib/collections/lru.js";
import type { Reader } from "../../../snapshot/reader/reader.js";
import type { ReplicaAnswer } from "../answers/answer.js";
import type { WholeResponse } from "./exchange.js";

/** Bytes of all responses that are kept, and of the largest body. */
const keptBytes = 8 * 1024 * 1024;
const largestBody = 1024 * 1024;
/** Bytes that a response takes beside its key and its body, about. */
const overheadBytes = 1024;
/** Bytes of all answers of views that are kept, and of one of their pieces, about. */
const keptAnswerBytes = 4 * 1024 * 1024;
const pieceBytes = 120;
/** Responses with a key of more characters are not kept. */
export const longestKey = 2000;
/** A response is kept the second time it is made, with at most 64 other keys in between. */
const recentKeys = 64;

/**
 * Responses of requests that come again and again. Those that nobody asked for the longest time go first, and all of them
 * when a generation changes. A list that is read page by page pushes none out: each page is asked for once. Answers that are
 * views of the snapshot's bytes are kept beside them: they take a hundredth of the memory, and only their bytes are put
 * together again.
 */
export interface ResponseCache {
  get(key: string): WholeResponse | undefined;
  /**
   * The generations as they are now: the same array as long as none changed. Where one did, all responses are dropped.
   */
  current(): readonly Reader[];
  /** An answer of views that was kept. */
  answer(key: string): ReplicaAnswer | undefined;
  /** Keeps an answer if it is one of views; `madeFrom` as for {@link ResponseCache.offer}. */
  keepAnswer(key: string, answer: ReplicaAnswer, madeFrom: readonly Reader[]): void;
  /**
   * Keeps a response, if one for the same key was offered lately, or at any time and there is room. Its body is copied.
   *
   * @param isAgain Whether its answer was kept, and so asked for before.
   * @param madeFrom What {@link ResponseCache.current} returned before it was made: if that is no longer so, it is
   *   not kept.
   */
  offer(key: string, response: WholeResponse, madeFrom: readonly Reader[], isAgain?: boolean): void;
}

/** @param readers The generations that answers are made from. */
export function createResponseCache(readers: readonly (() => Reader)[]): ResponseCache {
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
  /** Whether a key was offered lately; notes it where it was not. */
  const noteOffer = (key: string): boolean => {
    if (offered.delete(key)) return true;
    offered.set(key, true);
    return false;
  };
  return {
    current,
    get(key) {
      current();
      return responses.get(key);
    },
    answer(key) {
      current();
      return answers.get(key);
    },
    keepAnswer(key, answer, madeFrom) {
      const isKept = answer.ofViews === true && answer.status === 200 && key.length <= longestKey;
      if (isKept && madeFrom === current()) answers.set(key, answer);
    },
    offer(key, response, madeFrom, isAgain = false) {
      const { status, headers, body } = response;
      if (madeFrom !== current() || status !== 200) return;
      if (body.byteLength > largestBody || key.length > longestKey) return;
      if (!noteOffer(key) && !(isAgain && responses.hasRoomFor(key, response))) return;
      responses.set(key, { status, headers, body: new Uint8Array(body) });
    },
  };
}

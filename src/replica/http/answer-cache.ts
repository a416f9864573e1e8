import type { Reader } from "../../reader/reader.js";
import { Lru } from "../lru.js";
import type { WholeResponse } from "./exchange.js";

/** Bytes of all bodies that are kept, and of the largest one. */
const keptBytes = 8 * 1024 * 1024;
const largest = 1024 * 1024;
/** An answer is kept when its address was among the last so many that were answered before. */
const recent = 64;

/**
 * Responses of requests that come again and again: what every page of a site asks for (its settings, its
 * navigation) is not made anew each time. Those that nobody asked for the longest time go first, and all of them
 * when a generation changes. Reading a whole list page by page pushes none out, because each page of it is asked
 * for once.
 */
export interface AnswerCache {
  get(key: string): WholeResponse | undefined;
  /** The generations as they are now. */
  current(): readonly Reader[];
  /**
   * Keeps a response, if one for the same key was offered lately. Its body is copied.
   *
   * @param madeFrom What {@link AnswerCache.current} returned before it was made: if that is no longer so, it is
   *   not kept.
   */
  offer(key: string, response: WholeResponse, madeFrom: readonly Reader[]): void;
}

/** @param readers The generations that answers are made from. */
export function createAnswerCache(readers: readonly (() => Reader)[]): AnswerCache {
  const responses = new Lru<string, WholeResponse>(keptBytes, ({ body }) => body.byteLength);
  const offered = new Lru<string, true>(recent);
  let generations: readonly Reader[] = [];
  const current = (): readonly Reader[] => {
    if (generations.length > 0 && readers.every((reader, at) => reader() === generations[at])) return generations;
    generations = readers.map((reader) => reader());
    responses.clear();
    offered.clear();
    return generations;
  };
  /** Whether a key was offered lately. Notes a key that was not. */
  const comesAgain = (key: string): boolean => {
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
    offer(key, { status, headers, body }, madeFrom) {
      if (madeFrom !== current() || status !== 200 || body.byteLength > largest || !comesAgain(key)) return;
      responses.set(key, { status, headers, body: new Uint8Array(body) });
    },
  };
}

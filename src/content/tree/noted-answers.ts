import { lowerBound } from "../../lib/collections/lower-bound.js";

/** One in so many answers is looked for among the others; more of them, and all are put into a table. */
const fewAreSought = 32;

/** Places from `from` up to, and without, `to`. */
export interface PlaceRange {
  from: number;
  to: number;
}

/**
 * The answers that the files of a content tree were made with, as they were noted: a line for each, in the order of the keys. A line
 * is parsed when it is asked for, so that a change of few stories costs little more than finding the ends of the lines.
 */
export class NotedAnswers {
  /** JSON of each key and its answer: `["key","answer"]`. */
  readonly lines: readonly string[];
  readonly #found = new Map<string, number | undefined>();
  #isTable = false;

  /** @param lines sorted by key in code-unit order, each key once */
  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  get size(): number {
    return this.lines.length;
  }

  /** The answer to a key; undefined for one that no file asked. */
  get(key: string): string | undefined {
    const place = this.placeOf(key);
    return place === undefined ? undefined : this.at(place)[1];
  }

  /** The key at a place, and the answer. */
  at(place: number): [key: string, answer: string] {
    return JSON.parse(this.lines[place]!) as [string, string];
  }

  /** The place of a key; undefined for one that no file asked. */
  placeOf(key: string): number | undefined {
    if (this.#found.has(key) || this.#isTable) return this.#found.get(key);
    if (this.#found.size > this.size / fewAreSought) return this.#table().get(key);
    const at = this.placeFrom(key);
    const place = at < this.size && this.at(at)[0] === key ? at : undefined;
    this.#found.set(key, place);
    return place;
  }

  /** The first place whose key is not before this text. */
  placeFrom(key: string): number {
    return lowerBound(this.size, (place) => this.at(place)[0] >= key);
  }

  /** The places of the keys that begin with this text. */
  placesOf(start: string): PlaceRange {
    const from = this.placeFrom(start);
    const isBehind = (place: number) => !this.at(place)[0].startsWith(start);
    return { from, to: from + lowerBound(this.size - from, (more) => isBehind(from + more)) };
  }

  #table(): ReadonlyMap<string, number | undefined> {
    for (let place = 0; place < this.size; place += 1) this.#found.set(this.at(place)[0], place);
    this.#isTable = true;
    return this.#found;
  }
}

/** The answers of no export. */
export const noAnswers = new NotedAnswers([]);

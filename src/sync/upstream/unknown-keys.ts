import { endpoints } from "../../contract/endpoints.js";
import type { RecordCheck } from "../../contract/record-check.js";
import { type ObjectShape, objectShape, shapeFaults } from "../../contract/shape-faults.js";
import type { UnknownKey } from "../../contract/unknown-key.js";
import { namesOf } from "./record-faults.js";

/** Most of one answer, and of all answers of a sync: every record may have new keys. */
export const mostUnknownKeys = 50;
const longestKey = 200;

const envelopeKeys = new Set(Object.values(endpoints).flatMap(({ envelope }) => Object.keys(envelope)));

/** Collects the keys of an answer that the API does not describe: each once, with the first record as example. */
export class UnknownKeyDraft {
  readonly #found = new Map<string, UnknownKey>();
  readonly #kind: string;
  readonly #shape: ObjectShape | undefined;

  constructor({ component = "", definition }: RecordCheck<unknown>) {
    this.#kind = component;
    this.#shape = definition && objectShape(definition);
  }

  /** @param place in the answer: `stories[3]` */
  add(record: unknown, place: string): void {
    if (this.#shape === undefined || typeof record !== "object" || record === null) return;
    for (const { key, found } of shapeFaults(record as Record<string, unknown>, this.#shape)) {
      if (found !== null || this.#found.has(key)) continue;
      this.#add({ kind: this.#kind, key, example: namesOf(record, place).name });
    }
  }

  /** What stands beside the records. @param key of the records */
  addRest(rest: Readonly<Record<string, unknown>>, key: string): void {
    for (const name in rest) {
      if (!envelopeKeys.has(name)) this.#add({ kind: "answer", key: name, example: `beside "${key}"` });
    }
  }

  #add({ kind, key, example }: UnknownKey): void {
    if (this.#found.size < mostUnknownKeys) this.#found.set(key, { kind, key: key.slice(0, longestKey), example });
  }

  /** Nothing if all keys are known. */
  found(): { unknown?: readonly UnknownKey[] } {
    return this.#found.size === 0 ? {} : { unknown: [...this.#found.values()] };
  }
}

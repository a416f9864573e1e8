import { endpoints } from "../../contract/endpoints.js";
import { problemsOf, type RecordCheck } from "../../contract/record-check.js";
import { type ObjectShape, objectShape, shapeFaults } from "../../contract/shape-faults.js";
import type { UnknownKey } from "../../contract/unknown-key.js";
import { isObject, uuid, wholeNumber } from "../../lib/shape.js";
import type { RecordFault } from "./answer.js";

/** A fault for each field, or one for all, and the usable part. @param place in the answer: `stories[3]` */
export function faultsOf<T>(
  check: RecordCheck<T>,
  value: unknown,
  place: string,
  isSecret = false,
): { usable: T | undefined; faults: RecordFault[] } {
  const usable = check.usable(value);
  const problems = problemsOf(check, value, isSecret);
  const isLeftOut = usable === undefined;
  // The required fields decide; the first fault may be another one.
  const told = isLeftOut ? [problems.join(", ")] : problems;
  const names = isSecret ? { name: place, uuid: undefined, id: undefined } : namesOf(value, place);
  return { usable, faults: told.map((problem) => ({ ...names, problem, isLeftOut })) };
}

/** The fault of a record whose key another one has taken. */
export function duplicateFault(value: unknown, key: string): RecordFault {
  return { ...namesOf(value, key), problem: `another record has the same ${key}`, isLeftOut: true };
}

const namesShown = 100;

function namesOf(value: unknown, place: string): Pick<RecordFault, "name" | "uuid" | "id"> {
  const record = isObject(value) ? value : {};
  const own = (key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined);
  const title = ["full_slug", "slug", "name"].map(own).find((text) => typeof text === "string" && text.trim() !== "");
  const uuidOfRecord = uuid.is(own("uuid")) ? (own("uuid") as string) : undefined;
  const id = wholeNumber.is(own("id")) ? (own("id") as number) : undefined;
  const shown = title === undefined ? place : JSON.stringify(String(title).slice(0, namesShown));
  const number = uuidOfRecord ?? (id === undefined ? undefined : `id ${id}`);
  return { name: number === undefined ? shown : `${shown} (${number})`, uuid: uuidOfRecord, id };
}

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

  /** The other members of an answer. @param key of the member with the records */
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

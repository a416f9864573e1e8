import { problemsOf, type RecordCheck } from "../../contract/record-check.js";
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

export function namesOf(value: unknown, place: string): Pick<RecordFault, "name" | "uuid" | "id"> {
  const record = isObject(value) ? value : {};
  const own = (key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined);
  const title = ["full_slug", "slug", "name"].map(own).find((text) => typeof text === "string" && text.trim() !== "");
  const uuidOfRecord = uuid.is(own("uuid")) ? (own("uuid") as string) : undefined;
  const id = wholeNumber.is(own("id")) ? (own("id") as number) : undefined;
  const shown = title === undefined ? place : JSON.stringify(String(title).slice(0, namesShown));
  const number = uuidOfRecord ?? (id === undefined ? undefined : `id ${id}`);
  return { name: number === undefined ? shown : `${shown} (${number})`, uuid: uuidOfRecord, id };
}

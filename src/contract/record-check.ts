import { redact } from "../lib/redact/redact.js";
import { isObject, type Misfit, object, pathText, wholeNumber } from "../lib/shape.js";
import type { RecordTable } from "./describe-record.js";
import type { AssetMetadataRecord } from "./records.js";

/** How the records of an answer are looked at. Only what this program relies on is. */
export type RecordCheck<T> = Pick<RecordTable<T>, "is" | "usable" | "misfits">;

/** What is wrong with each field that is not as it has to be. @param isSecret no value is shown */
export function problemsOf(check: RecordCheck<unknown>, value: unknown, isSecret = false): string[] {
  return check.misfits(value).map((misfit) => misfitText(misfit, isSecret));
}

/** What is wrong with a record, or with what should be one. */
export function misfitText({ path, value, expected }: Misfit, isSecret = false): string {
  if (isSecret) return `${path.length === 0 ? "it" : pathText(path)} is not ${expected}`;
  return path.length === 0
    ? `${shown(value)} is not ${expected}`
    : `${pathText(path)} is ${shown(value)}, not ${expected}`;
}

const withId = object<{ id: number }>({ id: wholeNumber });

/** Metadata of an asset: all but its id is handed on as it comes. */
export const assetMetadata: RecordCheck<AssetMetadataRecord> = {
  is: (value): value is AssetMetadataRecord => withId.is(value),
  usable: () => undefined,
  misfits: (value) => [withId.misfit(value)].filter((misfit) => misfit !== undefined),
};

/** The value as a message shows it, cut short. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  // Before it is cut: what is left of a token would not be found any more.
  const text = redact(JSON.stringify(typeof value === "string" ? value.slice(0, 4_000) : value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

import { redact } from "../lib/redact/redact.js";
import { isObject, type Misfit, object, pathText, wholeNumber } from "../lib/shape.js";
import type { RecordTable } from "./describe-record.js";
import type { AssetMetadataRecord } from "./records.js";

/** How records of a response are checked: only what this program relies on. */
export type RecordCheck<T> = Pick<RecordTable<T>, "is" | "usable" | "misfits"> &
  Partial<Pick<RecordTable<T>, "component" | "definition">>;

/** One text for each invalid field. @param isSecret hides the values */
export function problemsOf(check: RecordCheck<unknown>, value: unknown, isSecret = false): string[] {
  return check.misfits(value).map((misfit) => misfitText(misfit, isSecret));
}

export function misfitText({ path, value, expected }: Misfit, isSecret = false): string {
  if (isSecret) return `${path.length === 0 ? "it" : pathText(path)} is not ${expected}`;
  return path.length === 0
    ? `${shown(value)} is not ${expected}`
    : `${pathText(path)} is ${shown(value)}, not ${expected}`;
}

const withId = object<{ id: number }>({ id: wholeNumber });

/** Metadata of an asset: everything but its id is passed on unchanged. */
export const assetMetadata: RecordCheck<AssetMetadataRecord> = {
  is: (value): value is AssetMetadataRecord => withId.is(value),
  usable: () => undefined,
  misfits: (value) => [withId.misfit(value)].filter((misfit) => misfit !== undefined),
};

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  return beginning(value, 60);
}

/** Of the JSON of a value. Redacts before shortening: the rest of a token would not be recognized. */
export function beginning(value: unknown, most: number): string {
  const text = redact(JSON.stringify(typeof value === "string" ? value.slice(0, 4_000) : value));
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

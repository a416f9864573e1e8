import type { DraftContent } from "./demo-story.js";
import { blockUid, mix, numberOf } from "./identifiers.js";
import { type Language, space } from "./space.js";
import { inLanguage, isTranslated } from "./translated.js";

/** The version, language and release that a record of a story is made for. */
export interface Reading {
  version: "published" | "draft";
  language: Language | "default";
  /** Whether the release's changes are applied, which are drafts. */
  release: boolean;
}

/**
 * The JSON of content in one reading: translations chosen, every empty `_uid` filled in from the place of its block, and
 * in drafts each block marked as `_editable`.
 *
 * @param path The path of the story.
 * @param edits Fields that replace those of the content, or come in addition.
 */
export function contentText(
  content: DraftContent,
  edits: Record<string, unknown>,
  path: string,
  reading: Reading,
): string {
  const place = numberOf(`block ${path}`);
  const fields = { ...content, ...edits, _uid: blockUid(place) };
  const texts = Object.entries(fields).map(
    ([key, value]) => `${JSON.stringify(key)}:${fieldText(value, mix(place, keyNumber(key)), reading)}`,
  );
  if (reading.version === "draft") texts.push(`"_editable":${JSON.stringify(editable(fields, place))}`);
  return `{${texts.join(",")}}`;
}

/** What was found out about the value of a field, so that its JSON is made once. */
interface KnownField {
  place: number;
  isTranslated: boolean;
  texts: { published?: string; draft?: string };
}

const knownFields = new WeakMap<object, KnownField>();

/** The JSON of a field's value; made once for all languages where nothing in it is translated. */
function fieldText(value: unknown, place: number, reading: Reading): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let known = knownFields.get(value);
  if (known === undefined) {
    known = { place, isTranslated: holdsTranslation(value), texts: {} };
    knownFields.set(value, known);
  }
  const memo = known.isTranslated || known.place !== place ? undefined : known.texts;
  const text = memo?.[reading.version] ?? JSON.stringify(project(value, place, reading));
  if (memo !== undefined) memo[reading.version] = text;
  return text;
}

function holdsTranslation(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isTranslated(value) || Object.values(value).some(holdsTranslation);
}

function project(value: unknown, place: number, reading: Reading): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isTranslated(value)) return project(inLanguage(value, reading.language), place, reading);
  if (Array.isArray(value)) return value.map((item, index) => project(item, mix(place, index), reading));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    copy[key] = key === "_uid" && item === "" ? blockUid(place) : project(item, mix(place, keyNumber(key)), reading);
  }
  if (reading.version === "draft" && typeof copy.component === "string") copy._editable = editable(copy, place);
  return copy;
}

function editable(block: Record<string, unknown>, place: number): string {
  return `<!--#editor#{"name":"${block.component}","space":"${space.id}","uid":"${block._uid}","id":"${place}"}-->`;
}

const keyNumbers = new Map<string, number>();

/** {@link numberOf} of a field name, remembered: there are few names and many fields. */
function keyNumber(key: string): number {
  const known = keyNumbers.get(key) ?? numberOf(key);
  keyNumbers.set(key, known);
  return known;
}

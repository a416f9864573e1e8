import { redact } from "../../lib/redact/redact.js";
import { type JsonSchema, pathText } from "../../lib/shape.js";
import type { ConfigDocument, KeyPath, PlacedProblem } from "../config-document.js";
import { configSchema } from "../schema/config-schema.js";
import { nearestName } from "../schema/nearest-name.js";
import type { Misfit } from "../schema/value-kinds.js";
import { looksLikeToken, withoutTokens } from "../token-like.js";

export interface ValueProblem {
  path: KeyPath;
  /** Follows the key in a sentence: "expects …", "is missing". */
  message: string;
  hint?: string | undefined;
  /** Report the problem at the key instead of its value. */
  atKey?: true;
}

export function schemaProblems(misfits: readonly Misfit[], values: unknown): ValueProblem[] {
  const shown = misfits
    .slice(0, mostProblems)
    .map((misfit) => (misfit.knownKeys ? unknownKey(misfit.path, misfit.knownKeys) : misfitProblem(misfit, values)));
  const next = misfits[mostProblems];
  if (next === undefined) return shown;
  const message = `and ${misfits.length - mostProblems} more values and keys do not fit`;
  return [...shown, { path: next.path, message, hint: "Correct those above first.", atKey: true }];
}

/** At most this many problems are listed. A file with more is not a configuration. */
const mostProblems = 500;

/** Adds line, column and key to the problems. Leaves out values that the document reports itself. */
export function placeProblems(problems: readonly ValueProblem[], document: ConfigDocument): PlacedProblem[] {
  return problems
    .filter((problem) => !document.isBroken(problem.path))
    .map((problem) => {
      const what = problem.atKey ? "key" : "value";
      const subject = pathText(problem.path.map((part) => (typeof part === "string" ? withoutTokens(part) : part)));
      const message = redact(subject === "" ? problem.message : `${subject} ${problem.message}`);
      return { ...document.place(problem.path, what), message, hint: redact(problem.hint ?? "") };
    });
}

/** Keys with secrets: tokens, or lists of them. Messages never show their values. */
export const secretPaths: readonly KeyPath[] = [
  ["source", "token"],
  ["source", "management", "token"],
  ["source", "management", "oauthToken"],
  ["webhooks", "secret"],
  ["webhooks", "key"],
  ["serve", "tokens", "public"],
  ["serve", "tokens", "preview"],
];

export const queuePath: KeyPath = ["worker", "queue"];

export function valueAt(values: unknown, path: KeyPath): unknown {
  let value = values;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function misfitProblem({ path, expects, hint }: Misfit, values: unknown): ValueProblem {
  const value = valueAt(values, path);
  if (value === undefined) return { path, message: "is missing", atKey: true, hint };
  const isSecret = [...secretPaths, queuePath].some((secret) => secret.every((part, index) => part === path[index]));
  return { path, message: `expects ${expects}, not ${shown(value, isSecret)}`, hint };
}

function shown(value: unknown, secret: boolean): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "keys and values";
  if (secret || (typeof value === "string" && looksLikeToken(value))) {
    return `this ${typeof value === "string" ? "text" : typeof value}`;
  }
  const text = redact(typeof value === "string" ? JSON.stringify(value) : String(value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function unknownKey(path: KeyPath, knownKeys: readonly string[]): ValueProblem {
  const key = String(path.at(-1));
  const meant = nearestName(key, knownKeys) ?? placesOfKey(key).join(" or ");
  const hint = meant === "" ? `Keys here are: ${knownKeys.join(", ")}.` : `Did you mean ${meant}?`;
  return { path, message: "is not a key of this file", atKey: true, hint };
}

/** Lists the valid places of a key: `output.dir`. A content type's name is shown as `*`. */
function placesOfKey(key: string): string[] {
  const places: string[] = [];
  const waiting: [string, JsonSchema][] = [["", configSchema.schema]];
  for (const [section, { properties = {}, additionalProperties }] of waiting) {
    if (Object.hasOwn(properties, key)) places.push(joined(section, key));
    waiting.push(
      ...Object.entries(properties).map(([name, schema]): [string, JsonSchema] => [joined(section, name), schema]),
    );
    if (typeof additionalProperties === "object") waiting.push([joined(section, "*"), additionalProperties]);
  }
  return places;
}

function joined(section: string, key: string): string {
  return section === "" ? key : `${section}.${key}`;
}

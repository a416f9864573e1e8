import { z } from "zod";
import { redact } from "../redact.js";
import type { ConfigDocument, KeyPath, PlacedProblem } from "./config-document.js";
import { configSchema } from "./config-schema.js";
import { nearestName } from "./nearest-name.js";

type Issue = z.core.$ZodIssue;

/** A problem with the value at a path, or with something that is missing there. */
export interface ValueProblem {
  path: KeyPath;
  /** What is wrong, as it follows the key: "expects …", "is missing". */
  message: string;
  hint?: string;
  /** Whether the key is the place of the problem rather than its value. */
  atKey?: true;
}

/** What zod found, one problem for each value and for each unknown key, in the order of the file. */
export function schemaProblems(issues: readonly Issue[], values: unknown): ValueProblem[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownKey(issue.path, key))
      : [misfitProblem(issue, values)],
  );
}

/** The problem as a line of a report: which key, what is wrong. Without those values that already have a problem. */
export function placeProblems(problems: readonly ValueProblem[], document: ConfigDocument): PlacedProblem[] {
  return problems
    .filter((problem) => !document.isBroken(problem.path))
    .map((problem) => {
      const what = problem.atKey ? "key" : "value";
      const subject = keyName(problem.path);
      const message = redact(subject === "" ? problem.message : `${subject} ${problem.message}`);
      return { ...document.place(problem.path, what), message, hint: redact(problem.hint ?? "") };
    });
}

/** The keys that hold secrets: tokens, or lists of them. Their values are never shown. */
export const secretPaths: readonly KeyPath[] = [
  ["source", "token"],
  ["source", "management", "token"],
  ["source", "management", "oauthToken"],
  ["serve", "tokens", "public"],
  ["serve", "tokens", "preview"],
];

/** The value at the path of plain data, or undefined. */
export function valueAt(values: unknown, path: KeyPath): unknown {
  let value = values;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** `source.languages[2].code` */
function keyName(path: KeyPath): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function misfitProblem(issue: Issue, values: unknown): ValueProblem {
  const { path } = issue;
  const value = valueAt(values, path);
  if (value === undefined) return { path, message: "is missing", atKey: true, ...hintOf(issue) };
  const expects = issue.code === "custom" ? issue.message : "expects keys and values";
  return { path, message: `${expects}, not ${shown(value, isSecret(path))}`, ...hintOf(issue) };
}

function isSecret(path: KeyPath): boolean {
  return secretPaths.some((secret) => secret.every((part, index) => part === path[index]));
}

function hintOf(issue: Issue): { hint?: string } {
  const hint: unknown = issue.code === "custom" ? issue.params?.hint : undefined;
  return typeof hint === "string" ? { hint } : {};
}

function shown(value: unknown, secret: boolean): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "keys and values";
  if (secret) return `this ${typeof value === "string" ? "text" : typeof value}`;
  const text = redact(typeof value === "string" ? JSON.stringify(value) : String(value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function unknownKey(path: KeyPath, key: string): ValueProblem {
  const sections = keysBySection();
  const section = sectionName(path);
  const valid = sections.get(section) ?? [];
  const problem: ValueProblem = { path: [...path, key], message: "is not a key of this file", atKey: true };
  const nearest = nearestName(key, valid);
  if (nearest !== undefined) return { ...problem, hint: `Did you mean ${nearest}?` };
  const elsewhere = [...sections].filter(([, keys]) => keys.includes(key)).map(([name]) => joined(name, key));
  if (elsewhere.length > 0) return { ...problem, hint: `Did you mean ${elsewhere.join(" or ")}?` };
  return { ...problem, hint: `Keys here are: ${valid.join(", ")}.` };
}

/** Every section's keys, by the section's dotted name; a content type's name is `*`. */
function keysBySection(): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  const waiting: [string, z.core.JSONSchema.BaseSchema][] = [["", z.toJSONSchema(configSchema, { io: "input" })]];
  for (const [name, schema] of waiting) {
    const properties = Object.entries(schema.properties ?? {});
    if (properties.length > 0)
      sections.set(
        name,
        properties.map(([key]) => key),
      );
    for (const [key, property] of properties) {
      if (typeof property === "object") waiting.push([joined(name, key), property]);
    }
    if (typeof schema.additionalProperties === "object") waiting.push([joined(name, "*"), schema.additionalProperties]);
  }
  return sections;
}

function sectionName(path: KeyPath): string {
  const names = path.map(String);
  if (names[0] === "content" && names[1] === "types" && names.length > 2) names[2] = "*";
  return names.join(".");
}

function joined(section: string, key: string): string {
  return section === "" ? key : `${section}.${key}`;
}

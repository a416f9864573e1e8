import { isObject } from "../../lib/shape.js";

/** Words that some YAML reader does not take for a text without quotes. */
const ambiguous = new Set(["y", "n", "yes", "no", "on", "off", "true", "false", "null"]);
/** `e5`: some YAML readers take it for a number. */
const exponent = /^e-?\d+$/i;
const plainKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Characters that JSON does not escape, and that YAML forbids or takes for a line ending. */
const forbidden = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * YAML front matter with its fences: one line `key: value` for each entry, every value as JSON, which is YAML too.
 * Texts are always quoted, so that `yes`, `12:30` and `2020-01-01` are texts to every reader. Entries with the value
 * undefined are left out.
 */
export function frontMatter(entries: Iterable<readonly [key: string, value: unknown]>): string {
  let text = "---\n";
  for (const [key, value] of entries) {
    if (value !== undefined) text += `${yamlKey(key)}: ${yamlValue(value)}\n`;
  }
  return `${text}---\n`;
}

function yamlKey(key: string): string {
  return plainKey.test(key) && !exponent.test(key) && !ambiguous.has(key.toLowerCase()) ? key : yamlValue(key);
}

/** JSON on one line, with a space after each colon and comma, which some YAML readers need. */
function yamlValue(value: unknown): string {
  // Without quotes it is a date and not a text, which some schemas expect.
  if (value instanceof Date) return value.toISOString();
  return spacedJson(value).replace(forbidden, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The indented form of `JSON.stringify` on one line would be as long as the value is deep, for each of its lines. */
function spacedJson(value: unknown): string {
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "[ " : ", "}${spacedJson(item ?? null)}`;
    return text === "" ? "[]" : `${text} ]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    text += `${text === "" ? "{ " : ", "}${JSON.stringify(key)}: ${spacedJson(value[key])}`;
  }
  return text === "" ? "{}" : `${text} }`;
}

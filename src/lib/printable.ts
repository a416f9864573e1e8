/** Escapes control, format and direction characters from outside, which could move the cursor or hide text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escaped);
}

/** No CI runner takes it for a command: GitHub reads `::` at the start and `##[` anywhere, others `##vso[` … */
export function printableLine(line: string): string {
  return withoutMarks(printable(line)).replace(/^(\s*):(?=:)/, (_, blanks: string) => `${blanks}${escaped(":")}`);
}

/** {@link printableLine} for a command to the runner: it may begin with `::`. */
export function printableCommand(line: string): string {
  return withoutMarks(printable(line));
}

/** Printable JSON of the same value. Line feeds stay: they occur only between tokens. */
export function printableJson(json: string): string {
  return json.replace(unsafeInJson, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Control and direction characters, and the first character that {@link withoutMarks} replaces. */
const unsafeInJson =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|#(?=#\w*\[)/g;

function withoutMarks(line: string): string {
  return line.replace(/#(?=#\w*\[)/g, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Text from outside (names, slugs, messages of a server) as a terminal may show it: control, format and direction
 * characters are escaped, so that no name can move the cursor or hide what follows.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escaped);
}

/**
 * A whole line as it may be printed: {@link printable}, and no runner of a CI host takes it for a command. GitHub takes a line
 * that begins with `::` behind blanks for one, and `##[` anywhere in a line; others take `##vso[` or `##teamcity[`.
 */
export function printableLine(line: string): string {
  return withoutMarks(printable(line)).replace(/^(\s*):(?=:)/, (_, blanks: string) => `${blanks}${escaped(":")}`);
}

/** The same for a line that is a command of a runner itself: it may begin with `::`. */
export function printableCommand(line: string): string {
  return withoutMarks(printable(line));
}

/** JSON as it may be printed, as the same value: its line feeds stay, which stand between its tokens alone. */
export function printableJson(json: string): string {
  return json.replace(unsafeInJson, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Controls and directions, and the first character of a mark as {@link withoutMarks} finds it. */
const unsafeInJson =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|#(?=#\w*\[)/g;

function withoutMarks(line: string): string {
  return line.replace(/#(?=#\w*\[)/g, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Finds a secret in every form in which a server may repeat it: in letters of either case, with any of its characters
 * percent-encoded or escaped as in JSON or HTML, in hexadecimal, and in base64 and base64url, also within something
 * longer that was encoded as a whole (`Bearer …`, `user:…`). Searching takes time in proportion to the text.
 *
 * In JSON of this program, a match never cuts an escape in two.
 */
export function secretPattern(secret: string): RegExp {
  const bytes = Buffer.from(secret, "utf8");
  const spelled = [...secret].map((character, at) => anySpelling(character, at === 0)).join("");
  return new RegExp(
    [spelled, bytes.toString("hex"), ...[0, 1, 2].map((before) => base64Form(bytes, before))].join("|"),
    "giu",
  );
}

/** A character as it is, `%41` (also encoded twice), `\u0041`, `&#65;`, or behind backslashes: JSON in JSON doubles them. */
function anySpelling(character: string, isFirst: boolean): string {
  // From the first of several backslashes only: from each of them, the search would take the square of their number.
  const backslashes = `${isFirst ? "(?<!\\\\)" : ""}\\\\`;
  const percent = [...Buffer.from(character, "utf8")].map((byte) => `%(?:25)?${hexPair(byte)}`).join("");
  const units = Array.from({ length: character.length }, (_, at) => {
    return `${at === 0 ? backslashes : "\\\\"}+u${hexNumber(character.charCodeAt(at), 4)}`;
  });
  const code = character.codePointAt(0) ?? 0;
  const entity = `&#(?:${code}|x${hexNumber(code)});`;
  const spellings = [`\\u{${hexNumber(code)}}`, percent, units.join(""), entity];
  if (/["'\\/]/.test(character)) spellings.unshift(`${backslashes}*${spellings[0]}`);
  if (character === "&") spellings.push("&amp;");
  if (character === " ") spellings.push("\\+");
  return `(?:${spellings.join("|")})`;
}

/**
 * The secret within the base64 of a longer text: those characters that it decides alone, and the two or three around
 * them that it shares with its neighbours.
 *
 * @param before how many bytes of the longer text, modulo 3, stand before the secret
 */
function base64Form(bytes: Uint8Array, before: number): string {
  const shared = sharedBefore(before);
  const endsShared = (before + bytes.length) % 3 !== 0;
  const characters = [...ownBase64(bytes, before)].map((character) => base64Spellings[character] ?? character).join("");
  return `${base64Character}{0,${shared}}${characters}${endsShared ? `${base64Character}?` : ""}(?:=|%3D){0,2}`;
}

/** The base64 characters that the bytes decide alone, wherever `before` bytes more, modulo 3, stand before them. */
export function ownBase64(bytes: Uint8Array, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  return encoded.slice(sharedBefore(before), (before + bytes.length) % 3 === 0 ? undefined : -1);
}

/** The base64 characters that these bytes and the ones behind them decide together, and those before. */
function sharedBefore(before: number): number {
  return before === 0 ? 0 : before + 1;
}

const base64Spellings: Readonly<Record<string, string>> = {
  "+": "(?:[+\\-]|%2B)",
  "/": "(?:\\\\*\\/|_|%2F)",
};
const base64Character = "[A-Za-z0-9+\\/_\\-]";

function hexPair(byte: number): string {
  return hexNumber(byte, 2);
}

function hexNumber(number: number, digits = 1): string {
  return number.toString(16).padStart(digits, "0");
}

/** A secret that is looked for in every form in which a server may repeat it. */
export interface SearchedSecret {
  readonly secret: string;
  /** Its usual spellings: as it is, as `encodeURIComponent` and as `JSON.stringify` spell it. */
  readonly spellings: readonly string[];
  /** Whether one of the views of a text holds it in any form; see {@link searchedViews}. */
  isIn(views: readonly string[]): boolean;
  /** Matches every form of it. Compiling it takes some milliseconds, so it is for texts that hold the secret. */
  pattern(): RegExp;
}

/** Prepares the search for a secret. */
export function searchedSecret(secret: string): SearchedSecret {
  const bytes = Buffer.from(secret, "utf8");
  const encoded = [0, 1, 2].map((before) => ownBase64(bytes, before));
  // A secret may hold escapes of its own, which are not in the views of a text.
  const plain = [secret, bytes.toString("latin1")].flatMap(searchedViews);
  const forms = [
    ...plain,
    ...plain.map((text) => text.replaceAll(" ", "+")),
    bytes.toString("hex"),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  const needles = [...new Set(forms.map((form) => form.toLowerCase()))].filter((form) => form.length >= shortest);
  let pattern: RegExp | undefined;
  return {
    secret,
    spellings: spellingsOf(secret),
    isIn: (views) => views.some((view) => needles.some((needle) => view.includes(needle))),
    pattern() {
      pattern ??= secretPattern(secret);
      return pattern;
    },
  };
}

/** What is left of a secret without its escapes may be too short to look for. */
const shortest = 6;

/** A secret as it is, as it stands in a URL, and as it stands in JSON. */
export function spellingsOf(secret: string): string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

const escapes = /%(?:25)?([\da-f]{2})|\\+u([\da-f]{4})|\\+|&#x([\da-f]{1,6});|&#(\d{1,7});|&amp;/gi;
const hasEscapes = /[%\\]|&(?:#|amp;)/i;

/**
 * A text as secrets are looked for in it: in lower case, and where it has escapes of URLs, JSON or HTML, also without
 * them and without those that were within them. A byte that was percent-encoded is a character of Latin-1.
 */
export function searchedViews(text: string): string[] {
  const views = [text];
  while (views.length < 3 && hasEscapes.test(views.at(-1) ?? ""))
    views.push((views.at(-1) ?? "").replace(escapes, decoded));
  return views.map((view) => view.toLowerCase());
}

function decoded(match: string, byte?: string, unit?: string, hex?: string, decimal?: string): string {
  if (byte !== undefined || unit !== undefined) return String.fromCharCode(Number.parseInt(byte ?? unit ?? "", 16));
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code >= 0 && code <= 0x10ffff) return String.fromCodePoint(code);
  return match.startsWith("&amp") ? "&" : "";
}

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
  const percent = [...Buffer.from(character, "utf8")].map((byte) => `%(?:25)?${hexNumber(byte, 2)}`).join("");
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
function ownBase64(bytes: Uint8Array, before: number): string {
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

function hexNumber(number: number, digits = 1): string {
  return number.toString(16).padStart(digits, "0");
}

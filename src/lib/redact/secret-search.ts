export type SearchedSecret = ReturnType<typeof searchedSecret>;

/** A secret, searched in every form in which a server may repeat it. */
export function searchedSecret(secret: string) {
  const bytes = Buffer.from(secret, "utf8");
  const encoded = [0, 1, 2].map((before) => ownBase64(bytes, before));
  // The secret may itself contain escapes, which the views of a text do not have.
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
    /** Whether one of a text's {@link searchedViews} contains it. */
    isIn: (views: readonly string[]) => views.some((view) => needles.some((needle) => view.includes(needle))),
    /** Matches every form. Compiling takes milliseconds, so use it only for texts with the secret. */
    pattern(): RegExp {
      pattern ??= secretPattern(secret);
      return pattern;
    },
  };
}

/** Without its escapes, a secret may be too short to search for. */
const shortest = 6;

/** A secret as it is, in a URL, and in JSON. */
export function spellingsOf(secret: string): string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

const escapes = /%(?:25)?([\da-f]{2})|\\+u([\da-f]{4})|\\+|&#x([\da-f]{1,6});|&#(\d{1,7});|&amp;/gi;
const hasEscapes = /[%\\]|&(?:#|amp;)/i;

/** In lower case, without escapes of URLs, JSON or HTML, up to two levels. A percent-encoded byte becomes Latin-1. */
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
 * In any case, escaped, in hexadecimal, base64 or base64url, and inside a longer encoded text. Searching is linear.
 */
export function secretPattern(secret: string): RegExp {
  const bytes = Buffer.from(secret, "utf8");
  const spelled = [...secret].map((character, at) => anySpelling(character, at === 0)).join("");
  return new RegExp(
    [spelled, bytes.toString("hex"), ...[0, 1, 2].map((before) => base64Form(bytes, before))].join("|"),
    "giu",
  );
}

/** `A`, `%41` (also encoded twice), `\u0041`, `&#65;`, or after backslashes, as in nested JSON. */
function anySpelling(character: string, isFirst: boolean): string {
  // Only from the first of several backslashes: starting at each would take quadratic time.
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
 * Within the base64 of a longer text, with the characters that both share.
 * @param before bytes before it, modulo 3
 */
function base64Form(bytes: Uint8Array, before: number): string {
  const shared = sharedBefore(before);
  const endsShared = (before + bytes.length) % 3 !== 0;
  const characters = [...ownBase64(bytes, before)].map((character) => base64Spellings[character] ?? character).join("");
  return `${base64Character}{0,${shared}}${characters}${endsShared ? `${base64Character}?` : ""}(?:=|%3D){0,2}`;
}

/** The base64 characters that these bytes alone decide, after `before` bytes, modulo 3. */
function ownBase64(bytes: Uint8Array, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  return encoded.slice(sharedBefore(before), (before + bytes.length) % 3 === 0 ? undefined : -1);
}

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

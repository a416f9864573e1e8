import { ownBase64, secretPattern } from "./secret-pattern.js";

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

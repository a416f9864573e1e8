import { uuid } from "../../lib/shape.js";
import { lastWord } from "./field-name.js";

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Fields whose names end with these words are settings of a block, unless the value is a text of several words. */
const settingNames = words(
  `theme layout layouts variant variants variation size sizes color colors colour colours align alignment aligned justify
  orientation direction style styles width height ratio spacing padding margin gap class classes classname css id uid key
  anchor icon icons columns cols rows mode animation transition effect overlay opacity shape order sort template preset
  skin target rel method action endpoint webhook api breakpoint display radius border shadow loading slug level`,
);
/** Fields whose names end with these words are for readers, however short the value is. */
const readingNames = words(
  `headline heading title subheadline subheading subtitle name label text caption quote quotation body content markdown
  html description intro introduction lead teaser summary abstract excerpt copy question answer message note price author
  authors role job byline by tagline claim slogan kicker eyebrow badge term definition city country address street phone
  email mail fax source credit cite citation attribution company organisation organization publication person speaker event date
  day time year when hours period unit suffix prefix currency value amount number figure stat isbn button cta`,
);
/** Numbers in fields whose names end with these words are settings. */
const numberSettings = words(
  "count max min limit page items column row position offset index depth zoom latitude lat longitude lng lon speed delay interval priority tab span weight start end",
);
const layoutValue =
  /^(?:left|right|center|centre|top|bottom|middle|start|end|none|auto|default|true|false|small|medium|large|dark|light|full|half|h[1-6]|\d?x[sl]|sm|md|lg)$/i;
const identifier = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const colour = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$|^(?:rgb|hsl)a?\([\d\s.,%/deg]+\)$|^var\(--[\w-]+\)$/i;
const length = /^-?(?:\d+|\d*\.\d+)(?:px|r?em|vh|vw|fr|deg|ms)$/;
const classList = /^[a-z0-9#.%:_/()[\],-]+(?: [a-z0-9#.%:_/()[\],-]+)*$/;
/** Texts of form controls, which are shown inside the control only. */
const hintNames = words("placeholder aria");
/** HTML that runs, styles or embeds something. */
const embedCode = /^\s*<(?:script|iframe|style|svg|object|embed|noscript|link|meta)\b/i;

/** The address of an `<iframe>`; undefined for any other text. */
export function embeddedAddress(text: string): string | undefined {
  return /^\s*<iframe\b[^>]*?\ssrc=["']((?:https?:)?\/\/[^"'\s<>]+)["']/i.exec(text)?.[1]?.replaceAll("&amp;", "&");
}

/** True if the text is a number: digits with points or commas, as in prices. */
export function isNumeric(text: string): boolean {
  return /^[-+]?\d+(?:[.,]\d+)*$/.test(text);
}

/** True if the text is a date, with or without a time, as date fields store it. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/.test(text);
}

/** True if the text is one word as programs write it: `hero-image`, `DARK_MODE`. */
export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

/** True if a field is for readers by its name, however short its value is. */
export function isReadingName(field: string): boolean {
  return readingNames.has(lastWord(field));
}

/**
 * True if the text of a field is a setting, which says how a site shows a block (`h1`, `dark`, `#1d2a5b`, a uuid). When
 * neither the name nor the value decides, the text is for readers.
 */
export function isSetting(field: string, text: string): boolean {
  if (uuid.is(text) || embedCode.test(text)) return true;
  const word = lastWord(field);
  if (hintNames.has(word)) return true;
  if (settingNames.has(word)) return /^[\x21-\x7e]+$/.test(text) || classList.test(text);
  if (readingNames.has(word)) return word === "name" && isIdentifier(text) && /[-_]/.test(text);
  if (isNumeric(text)) return numberSettings.has(word);
  return layoutValue.test(text) || isIdentifier(text) || colour.test(text) || length.test(text);
}

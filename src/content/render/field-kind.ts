import { fieldWords, lastWord } from "./field-name.js";
import { remembered } from "./remembered.js";
import { wordSet as words } from "./word-list.js";

/** Words of settings that hold one word or a list of classes. */
const optionWords = words(
  `theme layout layouts variant variants variation color colors colour colours align alignment aligned justify
  orientation direction style styles ratio spacing padding margin gap class classes classname css id uid key anchor icon
  icons columns cols rows mode animation transition effect overlay opacity shape template preset skin target rel method
  action endpoint webhook api breakpoint display radius border shadow loading slug timezone locale`,
);
/** Words of settings that are also words of prose: `size: "12 oz bottle"`, `level: "Beginner"`. */
const measureWords = words("size sizes level order sort width height split");
/** Words of styles, which make a setting of a name with another word behind them: `alignContent`, `icon_name`. */
const styleWords = words(
  `align alignment justify margin padding gap spacing width height columns cols rows icon color colour border radius
  shadow opacity ratio layout css class animation transition`,
);
/** Last words of names that are for readers, however short the value is. */
const readingWords = words(
  `headline heading header title subheadline subheading subtitle name label text caption quote quotation body content markdown
  html description intro introduction lead teaser summary abstract excerpt copy question answer message note price author
  authors role job byline by tagline claim slogan kicker eyebrow badge term definition city country address street phone
  email mail fax source credit cite citation attribution company organisation organization publication person speaker event date
  day time year when hours period unit suffix prefix currency value amount number figure stat metric quantity salary isbn button cta`,
);
/** Those among them that say nothing of the text itself. */
const vagueWords = words("content name value number amount figure unit");
/** Last words of names whose numbers are settings. */
const numberWords = words(
  `count max min limit highlight page items column row position offset index depth zoom latitude lat longitude lng lon speed delay
  interval priority tab span weight start end top bottom left right x y z col ms px rem vh vw show lines coordinates coords duration repeat`,
);
/** `slides_per_view` and alike: numbers are settings. */
const perWords = words("view row slide screen page line column");
const screenWords = words("xs sm md lg xl xxl 2xl 3xl desktop tablet mobile phone small medium large");
/** Last words of texts of form controls, which are shown inside the control only. */
const hintWords = words("placeholder aria");
/** Words of names whose texts are for programs that count visits. */
const machineWords = words("gtm utm analytics");

/**
 * What a field's name says of its texts. `option`: a setting, unless the text is prose. `measure`: a setting if the text
 * looks like one. `styledText`: for readers, unless the text is a word of CSS. `number`: its numbers are settings.
 */
export interface FieldKind {
  kind: "hint" | "option" | "measure" | "styledText" | "reading" | "number" | "open";
  /** The word of the name that decided; "" if none did. */
  word: string;
}

export const fieldKind = remembered((field: string) => kindOf(fieldWords(field)));

function kindOf(own: readonly string[]): FieldKind {
  const last = own.at(-1) ?? "";
  if (own.join() === "key") return { kind: "open", word: "" };
  const machine = hintWords.has(last) ? last : own.find((word) => machineWords.has(word));
  if (machine !== undefined) return { kind: "hint", word: machine };
  if (own.includes("tracking") || own[0] === "id" || optionWords.has(last)) return { kind: "option", word: last };
  if (measureWords.has(last)) return { kind: "measure", word: last };
  if (last === "by" && own.some((word) => /^(?:order|sort|group|filter)$/.test(word)))
    return { kind: "option", word: last };
  const style = own.find((word) => styleWords.has(word));
  if (readingWords.has(last) || readingWords.has(last.replace(/s$/, ""))) {
    if (style === undefined) return isScreens(own) ? { kind: "measure", word: last } : { kind: "reading", word: last };
    if (last === "name" && /^(?:icon|class|css)$/.test(style)) return { kind: "option", word: style };
    return { kind: vagueWords.has(last) ? "measure" : "styledText", word: style };
  }
  const layout = style ?? own.find((word) => optionWords.has(word) || measureWords.has(word));
  if (layout !== undefined || isScreens(own)) return { kind: "measure", word: layout ?? last };
  if (numberWords.has(last) && !/^(?:price|salary)$/.test(own[0]!)) return { kind: "number", word: last };
  return own.includes("per") && perWords.has(last) && !own.includes("price")
    ? { kind: "number", word: `per ${last}` }
    : { kind: "open", word: "" };
}

/** True if the name is that of a screen's size. A phone alone is a number to call. */
function isScreens(own: readonly string[]): boolean {
  const isPhone = own.length === 1 && /^(?:phone|mobile)$/.test(own[0]!);
  return !isPhone && own.length > 0 && own.every((word) => screenWords.has(word));
}

export function isReadingName(field: string): boolean {
  return readingWords.has(lastWord(field));
}

/** True if the text of a field is a part of an amount: `suffix: "/7"` beside `value: "24"`. */
export function isAmountName(field: string): boolean {
  return /^(?:prefix|suffix|unit|currency|period|interval|value|amount|number|figure|stat)$/.test(lastWord(field));
}

export function isLabelName(field: string): boolean {
  return /^(?:label|text|title|name|caption|button|cta)$/.test(lastWord(field));
}

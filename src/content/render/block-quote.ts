import type { JsonObject } from "../resolve/content-shape.js";
import { type BlockDraft, lineOf, linkNode, openFields, take } from "./block-draft.js";
import { fieldWords, lastWord } from "./field-name.js";
import type { BlockField } from "./field-value.js";

export interface BlockQuote {
  text: BlockField;
  /** Nodes of the line; empty when nobody is named. */
  attribution: JsonObject[];
}

const quoteNames = /^(?:quote|quotation|blockquote|pullquote|testimonial)$/;
const textNames = /^(?:text|body|content|message|statement|review|copy|description)$/;
const speakers = /^(?:author|source|cite|citation|attribution|by|byline|speaker)$/;
/** Fields that name the speaker, in a block that is a quotation as a whole. */
const persons = /^(?:name|person|customer|client|reader)$/;
const particulars = /^(?:title|role|position|job|company|organi[sz]ation|publication|city|country)$/;

/** The quotation of a block: its field `quote`, or the text of a component called `quote`, `testimonial` or alike. */
export function quoteOf(draft: BlockDraft): BlockQuote | undefined {
  const isQuoteBlock = fieldWords(draft.block.component).some((word) => quoteNames.test(word) || word === "citation");
  const fields = openFields(draft).filter(({ values }) => {
    return values.length === 1 && (values[0]?.kind === "text" || values[0]?.kind === "richText");
  });
  const text =
    fields.find(({ name }) => quoteNames.test(lastWord(name))) ??
    // In French, `citation` is the quotation itself.
    (isQuoteBlock ? fields.find(({ name }) => textNames.test(lastWord(name)) || name === "citation") : undefined);
  if (text === undefined) return undefined;
  take(draft, text, "quotation", "the text of a quotation");
  const open = openFields(draft).filter((field) => field !== text && attributionNodes(field).length > 0);
  const named = (pattern: RegExp) => open.filter(({ name }) => pattern.test(lastWord(name)));
  const who = [...(isQuoteBlock ? named(persons) : []), ...named(speakers)];
  const fieldsOfLine = who.length > 0 && isQuoteBlock ? [...who, ...named(particulars)] : who;
  for (const field of fieldsOfLine) take(draft, field, "quotation", "who said it");
  const attribution = fieldsOfLine.flatMap((field, index) => [
    ...(index === 0 ? [] : [{ type: "text", text: ", " }]),
    ...attributionNodes(field),
  ]);
  return { text, attribution };
}

function attributionNodes(field: BlockField): JsonObject[] {
  const [value] = field.values;
  if (field.values.length === 1 && value?.kind === "link" && value.to === "story") {
    return [linkNode(value.text, value.url)];
  }
  const text = lineOf(field);
  return text === undefined || text.length > 120 ? [] : [{ type: "text", text }];
}

import { uuid } from "../../lib/shape.js";
import { blockRole, isFormSetting } from "./block-role.js";
import { decision, type FieldDecision } from "./field-decision.js";
import { fieldKind } from "./field-kind.js";
import { lastWord } from "./field-name.js";

const layoutValue =
  /^(?:left|right|center|centre|top|bottom|middle|start|end|none|auto|default|true|false|small|medium|large|dark|light|full|half|h[1-6]|\d?x[sl]|sm|md|lg)$/i;
const cssKeyword =
  /^(?:stretch|baseline|space-(?:between|around|evenly)|flex(?:-(?:start|end))?|grid|(?:no)?wrap|wrap-reverse|(?:row|column)(?:-reverse)?|cover|contain|fill|scale-down|inherit|initial|unset|absolute|relative|fixed|sticky|static|hidden|visible|scroll|(?:inline-)?block|inline|self-(?:start|end)|justify)$/;
const identifier = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const colour = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$|^(?:rgb|hsl)a?\([\d\s.,%/deg]+\)$|^var\(--[\w-]+\)$/i;
const length = /^-?(?:\d+|\d*\.\d+)(?:px|pt|r?em|ch|ex|[dls]?v(?:h|w|min|max)|fr|deg|ms)$/;
/** A length that is prose unless the name of its field is one of layout: `50%`, `16:9`, `1/2`. */
const share = /^-?\d+(?:[.,]\d+)?%$|^\d+ ?[-:/x] ?\d+$/;
/** Lines and places: `1,3-5`, `52.5200, 13.4050`. */
const numberList = /^-?\d[\d.]*(?:-\d+)?(?:, ?-?\d[\d.]*(?:-\d+)?)+$/;
/** A class of a style sheet with a number or a prefix: `text-lg`, `bg-primary-500`, `md:w-1/2`. */
const styleToken = /^(?:[a-z]+:)*[a-z]+(?:-[a-z]+)*-(?:\d[\d./]*|\[[^\s\]]+\])$|^(?:[a-z]+:)+[a-z]+-[a-z0-9-]+$/;
const classList = /^[a-z0-9#.%:_/()[\],-]+(?: [a-z0-9#.%:_/()[\],-]+)*$/;
/** HTML that runs, styles or embeds something. */
const embedCode = /^\s*<(?:script|iframe|style|svg|object|embed|noscript|link|meta)\b/i;

export function embeddedAddress(text: string): string | undefined {
  return /^\s*<iframe\b[^>]*?\ssrc=["']((?:https?:)?\/\/[^"'\s<>]+)["']/i.exec(text)?.[1]?.replaceAll("&amp;", "&");
}

export function isNumeric(text: string): boolean {
  return /^[-+]?\d+(?:[.,]\d+)*$/.test(text);
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/.test(text);
}

/** True if the text is one word as programs write it: `hero-image`, `DARK_MODE`. */
export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

/** Reasons of decisions that other blocks of the list may change. */
export const plainWord = "a programmer's word";
export const plainText = "a text";

type SpaceUse = (component: string, field: string) => "option" | "prose" | undefined;

/**
 * Whether a text is for readers (`prose`) or a setting. The name decides, then the value, then the rest of the space.
 * In doubt it is for readers. @param component of the block that has the field
 */
export function textDecision(component: string, field: string, text: string, spaceUse?: SpaceUse): FieldDecision {
  if (uuid.is(text)) return decision("setting", "value", "a uuid");
  if (embedCode.test(text)) return decision("setting", "value", "active HTML");
  if (isJson(text) && !/^(?:code|snippet|source|example)$/.test(lastWord(field)))
    return decision("setting", "value", "data of a program");
  return ofBlock(component, field, text) ?? ofName(field, text) ?? ofValue(component, field, text, spaceUse);
}

function isJson(text: string): boolean {
  if (!/^(?:\{\s*"|\[\s*[[{"])/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function ofBlock(component: string, field: string, text: string): FieldDecision | undefined {
  const { isIcon, isAnchor, isHeading, isForm, isSpacer, isSocial } = blockRole(component);
  if (isForm && isFormSetting(field)) return decision("setting", "neighbours", "a field of a form");
  if (isForm && lastWord(field) === "name" && isIdentifier(text))
    return decision("setting", "neighbours", "the name of a control");
  if (isSocial && /^(?:network|platform|service|provider|channel)$/.test(lastWord(field)))
    return decision("prose", "neighbours", "the name of a network");
  if (isIcon && isIdentifier(text)) return decision("setting", "neighbours", "the name of an icon");
  if (isAnchor && isIdentifier(text)) return decision("setting", "neighbours", "the name of an anchor");
  if (isSpacer && isMeasure(text)) return decision("setting", "neighbours", "the size of a space");
  const isLevel =
    isHeading && !/\s/.test(text) && /^(?:level|tag|size|rank|element|as|type|weight)$/.test(lastWord(field));
  return isLevel ? decision("setting", "neighbours", "the level of a heading") : undefined;
}

function ofName(field: string, text: string): FieldDecision | undefined {
  const { kind, word } = fieldKind(field);
  const setting = () => decision("setting", "name", `the word ${word}`);
  const prose = () => decision("prose", "value", `a text under the word ${word}`);
  switch (kind) {
    case "hint":
      return setting();
    case "option":
      return isOption(text) ? setting() : prose();
    case "measure":
      return isMeasure(text) ? setting() : prose();
    case "styledText":
      return styleValue(text) === undefined ? decision("prose", "name", `the word ${lastWord(field)}`) : setting();
    case "reading":
      return word === "name" && field !== word && ((isIdentifier(text) && /[-_]/.test(text)) || /^\d\d?$/.test(text))
        ? decision("setting", "value", "a programmer's word")
        : decision("prose", "name", `the word ${word}`);
    case "number":
      // Shorter times are minutes, for readers.
      if (word === "duration") return /^\d{2,}00$/.test(text) ? setting() : undefined;
      return isNumeric(text) || numberList.test(text) ? setting() : undefined;
    case "open":
      return field === "key" && !isIdentifier(text) ? prose() : undefined;
  }
}

function ofValue(component: string, field: string, text: string, spaceUse: SpaceUse | undefined): FieldDecision {
  if (isNumeric(text)) {
    if (blockRole(component).isLayout) return decision("setting", "neighbours", "a number in a block of layout");
    return decision("prose", "value", "a number");
  }
  const style = styleValue(text);
  if (style !== undefined) return decision("setting", "value", style);
  const use = spaceUse?.(component, field);
  if (use === "option" && !/\s/.test(text)) return decision("setting", "space", "few values in all stories");
  if (use === "prose") return decision("prose", "space", "sentences in all stories");
  return isIdentifier(text) && lastWord(field) !== lastWord(component)
    ? decision("setting", "value", plainWord)
    : decision("prose", "value", plainText);
}

function styleValue(text: string): string | undefined {
  // Several of them are one value: `center center`.
  if (text.split(" ").every((word) => layoutValue.test(word) || cssKeyword.test(word))) return "a word of layout";
  if (colour.test(text)) return "a colour";
  if (length.test(text)) return "a length";
  return styleToken.test(text) ? "a class of a style sheet" : undefined;
}

/** True if the text is one word, or several words of classes. Four plain words are a sentence. */
function isOption(text: string): boolean {
  if (/^[\x21-\x7e]+$/.test(text)) return true;
  return classList.test(text) && !/^(?:[a-z]+[.,]? ){3,}[a-z]+[.!?]?$/.test(text);
}

/** True if each word of the text is a number, a length, a share, a word of layout; or the text is a programmer's word. */
function isMeasure(text: string): boolean {
  if (isIdentifier(text) || share.test(text)) return true;
  return text.split(/[\s,]+/).every((part) => {
    return (
      isNumeric(part) || share.test(part) || styleValue(part) !== undefined || (isIdentifier(part) && /[-_]/.test(part))
    );
  });
}

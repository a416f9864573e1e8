import { isObject, uuid } from "../../lib/shape.js";
import { blockKeys, isAsset, isBlock, isFilled } from "../resolve/content-shape.js";
import { type BlockDraft, openFields } from "./block-draft.js";
import { isHeading } from "./block-heading.js";
import { fieldWords, lastWord } from "./field-name.js";

/** Lists that a block may do without. */
const sideLists =
  /^(?:buttons?|links?|ctas?|actions?|tags?|icons?|categor(?:y|ies)|badges?|labels?|options?|class(?:es)?|settings?)$/;
const mediaWords = /^(?:image|images|picture|photo|video|figure|gallery|media|file|download|embed)$/;

/** What is missing in a block of nothing but a heading: `{ title: "Partners", logos: [] }`, a picture's file. */
export function missingContent(draft: BlockDraft): string | undefined {
  const { block } = draft;
  const isEmpty = openFields(draft).every(({ values }) => {
    return values.every((value) => value.kind === "block" && isHollow(value.block));
  });
  if (!isEmpty || draft.taken.size > 1 || isHeading(draft)) return undefined;
  const names = Object.keys(block);
  const lists = names.filter((name) => Array.isArray(block[name]) && !sideLists.test(lastWord(name)));
  if (lists.length > 0 && lists.every((name) => (block[name] as unknown[]).every(isMissing)))
    return `the list ${lists[0]} shows nothing`;
  if (lists.length > 0 || !fieldWords(block.component).some((word) => mediaWords.test(word))) return undefined;
  const file = names.find((name) => isObject(block[name]) && isAsset(block[name]));
  return file === undefined || isFilled(block[file]) ? undefined : `the file ${file} is missing`;
}

/** True if an item of a list is shown nowhere: an empty one, a block of such, a relation to a story that is not there. */
function isMissing(item: unknown): boolean {
  return !isFilled(item) || (typeof item === "string" && uuid.is(item)) || (isBlock(item) && isHollow(item));
}

function isHollow(block: object, depth = 0): boolean {
  return Object.entries(block).every(([name, value]) => {
    if (blockKeys.has(name) || !isFilled(value) || typeof value === "boolean") return true;
    const items: unknown[] = Array.isArray(value) ? value : [];
    return items.length > 0 && depth < 3 && items.every((item) => isBlock(item) && isHollow(item, depth + 1));
  });
}

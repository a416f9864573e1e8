import { isBlock, type JsonObject } from "../resolve/content-shape.js";
import { type CompareItem, diffItems } from "./diff-items.js";
import { diffSequence, diffText } from "./diff-text.js";
import type { ParagraphDifference, RichTextDifference } from "./difference.js";
import { type Paragraph, richTextParagraphs } from "./rich-text-paragraphs.js";

/** How two rich text documents differ: paragraph by paragraph, and the blocks in them. */
export function diffRichText(before: JsonObject, after: JsonObject, compare: CompareItem): RichTextDifference {
  const [old, now] = [richTextParagraphs(before), richTextParagraphs(after)];
  const paragraphs = diffParagraphs(old.paragraphs, now.paragraphs);
  const blocks = diffItems(old.blocks.filter(isBlock), now.blocks.filter(isBlock), compare);
  return { kind: "richText", before, after, paragraphs, ...(blocks === undefined ? {} : { blocks }) };
}

function diffParagraphs(before: readonly Paragraph[], after: readonly Paragraph[]): ParagraphDifference[] {
  const found: ParagraphDifference[] = [];
  let gone: readonly Paragraph[] = [];
  let [from, to] = [0, 0];
  const runs = diffSequence(
    before.map(({ signature }) => signature),
    after.map(({ signature }) => signature),
  );
  for (const { change, count } of runs) {
    if (change === "removed") {
      gone = before.slice(from, from + count);
      from += count;
      continue;
    }
    const came = change === "added" ? after.slice(to, to + count) : [];
    found.push(...diffRun(gone, came));
    gone = [];
    to += count;
    if (change === "same") from += count;
  }
  return [...found, ...diffRun(gone, [])];
}

/** Paragraphs that went, and those that came in their place: each with the one that stands there now. */
function diffRun(gone: readonly Paragraph[], came: readonly Paragraph[]): ParagraphDifference[] {
  return Array.from({ length: Math.max(gone.length, came.length) }, (_, place): ParagraphDifference => {
    const [old, now] = [gone[place], came[place]];
    if (old === undefined) return { change: "added", is: now!.is, pieces: [{ change: "added", text: now!.text }] };
    if (now === undefined) return { change: "removed", is: old.is, pieces: [{ change: "removed", text: old.text }] };
    const pieces = diffText(old.text, now.text);
    const formatting = old.text === now.text ? { formatting: true as const } : {};
    return { change: "changed", is: now.is, pieces, ...formatting };
  });
}

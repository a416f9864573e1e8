import { costLimits } from "../cost-limits.js";

const { markdownBrackets, markdownNesting } = costLimits;

/** A line that begins more quotations and lists than are read. */
const tooDeepLine = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${markdownNesting + 1}}`, "m");
/** A line at which a paragraph ends: a blank one, or the item of a list that is not numbered. */
const paragraphEnd = /^(?:[ \t>]*$|[ \t>]*[-*+][ \t]+\S)/;

/**
 * What makes it too costly to parse a text as Markdown; undefined where nothing does. For each closing bracket the parser
 * looks through the paragraph for the opening one, and each level of a quotation is looked at for each of its lines.
 */
export function markdownCost(text: string): string | undefined {
  if (text.length > markdownNesting && tooDeepLine.test(text)) {
    return `Markdown with more than ${markdownNesting} levels of quotations and lists`;
  }
  if (text.length <= markdownBrackets || !hasCrowdedParagraph(text)) return undefined;
  return `Markdown with more than ${markdownBrackets} brackets in a paragraph`;
}

function hasCrowdedParagraph(text: string): boolean {
  let count = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    if (paragraphEnd.test(line)) count = 0;
    for (let at = line.indexOf("]"); at !== -1; at = line.indexOf("]", at + 1)) count += 1;
    if (count > markdownBrackets) return true;
  }
  return false;
}

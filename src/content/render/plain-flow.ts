import type { Heading, List, Paragraph, RootContent } from "mdast";

/** The children of a paragraph or heading as Markdown; undefined where the library has to print them. */
export type PrintLine = (node: Paragraph | Heading) => string | undefined;

/**
 * Paragraphs, headings and flat lists of lines that are printed at once, as `mdast-util-to-markdown` prints them with `-` and
 * one space. Most pages hold nothing else, and the library puts together all that it knows for each of them.
 *
 * @returns undefined for anything else: the library has to print it
 */
export function plainFlow(children: readonly RootContent[], printLine: PrintLine): string | undefined {
  const pieces: string[] = [];
  for (const [index, child] of children.entries()) {
    // Of two lists in a row the second one has another bullet.
    const isSecondList = child.type === "list" && children[index - 1]?.type === "list";
    const piece = isSecondList ? undefined : plainBlock(child, printLine);
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  return pieces.length === 0 ? undefined : `${pieces.join("\n\n")}\n`;
}

function plainBlock(node: RootContent, printLine: PrintLine): string | undefined {
  if (node.type === "list") return plainList(node, printLine);
  if (node.type === "heading") return plainHeading(node, printLine);
  return node.type === "paragraph" ? printLine(node) : undefined;
}

/** A heading of one line that is printed at once; undefined for any other. */
export function plainHeading(node: Heading, printLine: PrintLine): string | undefined {
  const line = printLine(node);
  return line === undefined ? undefined : `${"#".repeat(node.depth)} ${line}`;
}

function plainList({ ordered, start, spread, children }: List, printLine: PrintLine): string | undefined {
  const first = typeof start === "number" && start > -1 ? start : 1;
  const items: string[] = [];
  for (const [index, item] of children.entries()) {
    const [only] = item.children;
    const line = item.children.length === 1 && only?.type === "paragraph" ? printLine(only) : undefined;
    if (line === undefined) return undefined;
    items.push(ordered ? `${first + index}. ${line}` : `- ${line}`);
  }
  if (items.length === 0 || typeof spread !== "boolean") return undefined;
  return items.join(spread ? "\n\n" : "\n");
}

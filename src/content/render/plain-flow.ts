import type { Heading, List, Paragraph, PhrasingContent, RootContent } from "mdast";
import type { Info, Unsafe } from "mdast-util-to-markdown";

/** The children of a paragraph or heading as Markdown; undefined if the library has to print them. */
export type PrintLine = (node: Paragraph | Heading) => string | undefined;

/**
 * Prints most pages at once, as `mdast-util-to-markdown` does with `-` and one space: the library puts together all
 * that it knows for each of them. Undefined: the library has to print it.
 */
export function plainFlow(children: readonly RootContent[], printLine: PrintLine): string | undefined {
  const pieces: string[] = [];
  for (const [index, child] of children.entries()) {
    // The second of two neighbouring lists has another bullet.
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

/** The characters around a text. */
export type Between = Pick<Info, "before" | "after">;

/** True if a text between these characters needs no escapes. */
export type IsPlain = (value: string, between: Between) => boolean;

/** A word at either edge: emphasis around it always forms and needs no escapes. */
const wordEdges = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u;
/** An address in which no dialect of Markdown has anything to escape. */
const plainAddress = /^[\w/.:?=#%+-]+$/;
const sequences = { strong: "**", emphasis: "*" };

/**
 * One line of texts, with bold and italic words and links, as `mdast-util-to-markdown` prints it: the library looks at
 * each with all that Markdown knows. @param unsafe what a target has escaped in addresses
 */
export function plainPhrasing(
  children: readonly PhrasingContent[],
  isPlain: IsPlain,
  unsafe: readonly Unsafe[],
): string | undefined {
  let line = "";
  let hasSequence = false;
  for (const [index, child] of children.entries()) {
    const piece = plainPiece(child, isPlain, unsafe, {
      before: line === "" ? "\n" : line.charAt(line.length - 1),
      after: index === children.length - 1 ? "\n" : "",
    });
    const isEmphasis = child.type === "strong" || child.type === "emphasis";
    // Touching runs of asterisks are left to the library.
    if (piece === undefined || (isEmphasis && hasSequence)) return undefined;
    hasSequence = isEmphasis;
    line += piece;
  }
  return line === "" ? undefined : line;
}

function plainPiece(
  child: PhrasingContent,
  isPlain: IsPlain,
  unsafe: readonly Unsafe[],
  between: Between,
): string | undefined {
  if (child.type === "text") return child.value !== "" && isPlain(child.value, between) ? child.value : undefined;
  if (child.type === "strong" || child.type === "emphasis") {
    const sequence = sequences[child.type];
    const inner = onlyText(child.children);
    if (inner === undefined || !wordEdges.test(inner)) return undefined;
    return isPlain(inner, { before: sequence, after: sequence }) ? sequence + inner + sequence : undefined;
  }
  if (child.type !== "link" || child.title || !isPlainAddress(child.url, unsafe)) return undefined;
  const inner = onlyText(child.children);
  if (inner === undefined || !isPlain(inner, { before: "[", after: "](" })) return undefined;
  return `[${inner}](${child.url})`;
}

function onlyText(children: readonly PhrasingContent[]): string | undefined {
  const [only] = children;
  return children.length === 1 && only?.type === "text" && only.value !== "" ? only.value : undefined;
}

function isPlainAddress(address: string, unsafe: readonly Unsafe[]): boolean {
  if (!plainAddress.test(address)) return false;
  return !unsafe.some(({ atBreak, character, notInConstruct }) => {
    const isElsewhere = Array.isArray(notInConstruct) && notInConstruct.includes("destinationRaw");
    return !atBreak && !isElsewhere && address.includes(character);
  });
}

import type { PhrasingContent } from "mdast";

function isBreak(node: PhrasingContent | undefined): boolean {
  return node?.type === "break" || (node?.type === "html" && node.value === "<br>");
}

type Edge = "start" | "end";
/** Spaces that a reader of HTML never sees at the edge of a line. A no-break space is not one of them. */
const edgeSpace = /[ \t\n]/;
const onlyEdgeSpaces = /^[ \t\n]*$/;

/** True if a character of the text takes up ink: no white space, none without width. */
export function hasInk(text: string): boolean {
  return /[^\s\u200b-\u200d\u2060\ufeff]/u.test(text);
}

/** True if a reader sees something of the node, or a link can lead to it. */
export function isShown(node: PhrasingContent): boolean {
  if ("children" in node) return node.children.some(isShown);
  if (node.type === "text" || node.type === "inlineCode") return hasInk(node.value);
  if (node.type === "html") return / id="/.test(node.value);
  return node.type !== "break" && node.type !== "characterReference";
}

/** Without breaks and spaces at its edges, and spaces next to breaks: Markdown shows such a break as a backslash. */
export function tidyLine(children: readonly PhrasingContent[]): PhrasingContent[] {
  if (!children.some(isShown)) return [];
  const tidy = withoutSpacesAtBreaks(children);
  while (isGap(tidy[0], onlyEdgeSpaces)) tidy.shift();
  while (isGap(tidy.at(-1), onlyEdgeSpaces)) tidy.pop();
  trim(tidy, 0, "start");
  trim(tidy, tidy.length - 1, "end");
  return tidy;
}

/** True if the node, at the edge of a line or of a mark, shows nothing: a break, or a text of these spaces. */
function isGap(node: PhrasingContent | undefined, spaces: RegExp): boolean {
  if (node?.type === "characterReference") return spaces.test(node.character);
  if (node?.type === "text") return spaces.test(node.value);
  return isBreak(node);
}

function withoutSpacesAtBreaks(children: readonly PhrasingContent[]): PhrasingContent[] {
  if (!children.some(isBreak)) return [...children];
  const kept = [...children];
  for (const index of kept.keys()) {
    if (isBreak(kept[index - 1])) trim(kept, index, "start");
    if (isBreak(kept[index + 1])) trim(kept, index, "end");
  }
  return kept.filter((child) => child.type !== "text" || child.value !== "");
}

function trim(children: PhrasingContent[], index: number, edge: Edge): void {
  const child = children[index];
  if (child?.type !== "text") return;
  const { value } = child;
  let [start, end] = [0, value.length];
  if (edge === "start") while (start < end && edgeSpace.test(value.charAt(start))) start += 1;
  else while (end > start && edgeSpace.test(value.charAt(end - 1))) end -= 1;
  if (end - start < value.length) children[index] = { ...child, value: value.slice(start, end) };
}

/**
 * Wraps nodes, breaks at their edges outside: one at the end of bold text would keep it from closing.
 * @param isEmphasis whether spaces belong outside too: `**bold** text`, not `**bold&#x20;**text`
 */
export function wrapInside(
  children: readonly PhrasingContent[],
  isEmphasis: boolean,
  wrap: (inner: PhrasingContent[]) => PhrasingContent[],
): PhrasingContent[] {
  const inner = withoutSpacesAtBreaks(children);
  let start = 0;
  let end = inner.length;
  while (start < end && isGap(inner[start], /^\s*$/)) start += 1;
  while (end > start && isGap(inner[end - 1], /^\s*$/)) end -= 1;
  const before = inner.slice(0, start);
  const after = inner.slice(end);
  const kept = inner.slice(start, end);
  if (isEmphasis) {
    before.push(...cutSpaces(kept, 0, "start"));
    after.unshift(...cutSpaces(kept, kept.length - 1, "end"));
  }
  if (kept.length === 0) return isEmphasis ? inner : wrap(inner);
  return [...before, ...wrap(kept), ...after];
}

function cutSpaces(children: PhrasingContent[], index: number, edge: Edge): PhrasingContent[] {
  const child = children[index];
  if (child?.type !== "text") return [];
  const rest = edge === "start" ? child.value.trimStart() : child.value.trimEnd();
  const length = child.value.length - rest.length;
  if (length === 0) return [];
  children[index] = { ...child, value: rest };
  return [{ type: "text", value: edge === "start" ? child.value.slice(0, length) : child.value.slice(-length) }];
}

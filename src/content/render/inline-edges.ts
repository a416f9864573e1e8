import type { PhrasingContent } from "mdast";

function isBreak(node: PhrasingContent | undefined): boolean {
  return node?.type === "break" || (node?.type === "html" && node.value === "<br>");
}

/** Spaces that a reader of HTML never sees at the edge of a line. A no-break space is not one of them. */
const edgeSpace = /[ \t\n]/;

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
  const { kept } = withoutGaps(withoutSpacesAtBreaks(children), /^[ \t\n]*$/);
  cut(kept, 0, "start", edgeSpace);
  cut(kept, kept.length - 1, "end", edgeSpace);
  return kept;
}

/** The nodes between those at both ends that show nothing: breaks, and texts of these spaces. */
function withoutGaps(nodes: readonly PhrasingContent[], spaces: RegExp) {
  const isGap = (node: PhrasingContent): boolean => {
    if (node.type === "characterReference") return spaces.test(node.character);
    return node.type === "text" ? spaces.test(node.value) : isBreak(node);
  };
  let [start, end] = [0, nodes.length];
  while (start < end && isGap(nodes[start]!)) start += 1;
  while (end > start && isGap(nodes[end - 1]!)) end -= 1;
  return { before: nodes.slice(0, start), kept: nodes.slice(start, end), after: nodes.slice(end) };
}

function withoutSpacesAtBreaks(children: readonly PhrasingContent[]): PhrasingContent[] {
  if (!children.some(isBreak)) return [...children];
  const kept = [...children];
  for (const index of kept.keys()) {
    if (isBreak(kept[index - 1])) cut(kept, index, "start", edgeSpace);
    if (isBreak(kept[index + 1])) cut(kept, index, "end", edgeSpace);
  }
  return kept.filter((child) => child.type !== "text" || child.value !== "");
}

/** Cuts spaces off a text. Leaves a node without any as it is. @returns what was cut off */
function cut(children: PhrasingContent[], index: number, edge: "start" | "end", space: RegExp): PhrasingContent[] {
  const child = children[index];
  if (child?.type !== "text") return [];
  const { value } = child;
  let [start, end] = [0, value.length];
  if (edge === "start") while (start < end && space.test(value.charAt(start))) start += 1;
  else while (end > start && space.test(value.charAt(end - 1))) end -= 1;
  if (end - start === value.length) return [];
  children[index] = { ...child, value: value.slice(start, end) };
  return [{ type: "text", value: edge === "start" ? value.slice(0, start) : value.slice(end) }];
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
  const { before, kept, after } = withoutGaps(inner, /^\s*$/);
  if (kept.length === 0) return isEmphasis ? inner : wrap(inner);
  if (isEmphasis) {
    before.push(...cut(kept, 0, "start", /\s/));
    after.unshift(...cut(kept, kept.length - 1, "end", /\s/));
  }
  return [...before, ...wrap(kept), ...after];
}

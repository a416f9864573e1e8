import type { RenderContext } from "./render-context.js";
import {
  childNodes,
  type FlowNodeType,
  isInline,
  maxDepth,
  plainText,
  type RichTextNode,
  readNode,
} from "./rich-text-node.js";

export interface FlowOutput<Node> {
  handlers: Readonly<Record<FlowNodeType, (node: RichTextNode, context: RenderContext, depth: number) => Node[]>>;
  line(nodes: readonly RichTextNode[], context: RenderContext): Node[];
  plain(texts: readonly string[]): Node[];
}

export function documentFlow<Node>(document: unknown, context: RenderContext, depth: number, output: FlowOutput<Node>) {
  const node = readNode(document);
  return node === undefined ? [] : flow([node], context, depth, output);
}

/** Unknown nodes keep their text and are reported; what is nested deeper than {@link maxDepth} becomes plain text. */
export function flow<Node>(
  nodes: readonly RichTextNode[],
  context: RenderContext,
  depth: number,
  output: FlowOutput<Node>,
): Node[] {
  if (depth > maxDepth) {
    context.unknown(`nesting deeper than ${maxDepth} levels`);
    return output.plain(nodes.map((node) => plainText({ ...node, content: node.children })));
  }
  const result: Node[] = [];
  for (let index = 0; index < nodes.length; ) {
    const start = index;
    while (index < nodes.length && isInline(nodes[index]!)) index += 1;
    const isLine = index > start;
    const made = isLine
      ? output.line(nodes.slice(start, index), context)
      : flowNode(nodes[index]!, context, depth + 1, output);
    // Not spread: a call takes about 100,000 arguments at most.
    for (const node of made) result.push(node);
    if (!isLine) index += 1;
  }
  return result;
}

function flowNode<Node>(node: RichTextNode, context: RenderContext, depth: number, output: FlowOutput<Node>): Node[] {
  const { handlers } = output;
  if (Object.hasOwn(handlers, node.type)) return handlers[node.type as FlowNodeType](node, context, depth);
  context.unknown(`node "${node.type}"`);
  return flowInside(node, context, depth, output);
}

export function flowInside<Node>(
  node: RichTextNode,
  context: RenderContext,
  depth: number,
  output: FlowOutput<Node>,
): Node[] {
  const own = node.text === "" ? [] : [{ ...node, type: "text", children: [] }];
  return flow([...own, ...childNodes(node)], context, depth, output);
}

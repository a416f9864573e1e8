import type { ElementContent } from "hast";
import type { Blok } from "../../contract/records.js";
import type { BlockRenderer } from "./render-context.js";
import { richTextToHast } from "./rich-text-to-hast.js";

/** The attributes of an element by their HTML names: `href`, `class`, `colspan`. */
export type ElementProps = Readonly<Record<string, string | number | boolean>>;

/**
 * Makes the caller's own node of an element: a React element, a virtual node of Vue, a piece of text.
 * @param children what the function returned for what is inside, in order
 * @param element name of the HTML element that it would be: `h2` of a heading of level 2
 */
export type RichTextComponent<Node> = (props: ElementProps, children: Node[], element: string) => Node;

/** How rich text becomes nodes of the caller. */
export interface RichTextComponents<Node> {
  /** A piece of text, not escaped. */
  text(value: string): Node;
  /** Every element without its own component; without this function only its children stay. */
  element?(name: string, props: ElementProps, children: Node[]): Node;
  /**
   * By the name of a node or mark (`heading`, `paragraph`, `link`, `image`, `code_block`), or of an HTML element (`h2`,
   * `a`, `thead`). The first one that is there counts.
   */
  components?: Readonly<Record<string, RichTextComponent<Node> | undefined>>;
  /**
   * Blocks, by component: functions of the block, which may be typed as the generated type of that component. A block
   * without a function is shown as the content tree shows it.
   */
  blocks?: Readonly<Record<string, ((block: never) => Node) | undefined>>;
}

/**
 * Rich text as nodes of the caller. Maps as for HTML: leaves out addresses that run a script,
 * keeps the children of unknown nodes, and turns too deep nesting into text.
 *
 * @param document the value of a rich text field; any other value gives its text
 */
export function renderRichText<Node>(document: unknown, options: RichTextComponents<Node>): Node[] {
  const { components = {}, blocks = {} } = options;
  const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
    Object.hasOwn(record, name) ? record[name] : undefined;
  const ofBlocks = new Map<ElementContent, Node>();
  const renderers = Object.entries(blocks).flatMap(([component, render]): [string, BlockRenderer][] => {
    if (render === undefined) return [];
    const html = (block: Blok): ElementContent[] => {
      const place: ElementContent = { type: "text", value: "" };
      // Which type the function wants is the caller's promise about the component.
      ofBlocks.set(place, render(block as never));
      return [place];
    };
    return [[component, { html }]];
  });
  const nodesOf = (content: readonly ElementContent[]): Node[] => content.flatMap(nodeOf);
  const nodeOf = (content: ElementContent): Node[] => {
    if (ofBlocks.has(content)) return [ofBlocks.get(content)!];
    if (content.type === "text") return [options.text(content.value)];
    if (content.type !== "element") return [];
    const { tagName, data, properties } = content;
    const children = nodesOf(content.children);
    const component = own(components, data?.richText ?? tagName) ?? own(components, tagName);
    if (component !== undefined) return [component(propsOf(properties), children, tagName)];
    return options.element === undefined ? children : [options.element(tagName, propsOf(properties), children)];
  };
  return nodesOf(
    richTextToHast(document, {
      blocks: new Map(renderers),
      storyUrl: (fullSlug) => `/${fullSlug}`,
      unknown: () => undefined,
    }),
  );
}

function propsOf(properties: Record<string, unknown>): ElementProps {
  const props: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") props[name] = value;
  }
  return props;
}

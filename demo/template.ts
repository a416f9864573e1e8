import type { RichTextNode } from "./rich-text.js";

/** What stands for the placeholders of a template: a value for each; in a line of rich text it may be a list of nodes. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/**
 * A copy of the template in which every `{name}` is replaced by the value of that name. A text that is nothing but a
 * placeholder becomes the value itself. In a line of rich text, nodes stay nodes of their own, with the marks around them.
 *
 * @throws RangeError where a placeholder has no value
 */
export function fill<T>(template: T, values: TemplateValues): T {
  const nodes = Object.keys(values).filter((name) => isNodes(values[name]));
  return filled(template, values, new RegExp(`\\{(${nodes.join("|")})\\}`)) as T;
}

/** @param nodes Matches the placeholders that stand for nodes, and captures their names. */
function filled(template: unknown, values: TemplateValues, nodes: RegExp): unknown {
  if (typeof template === "string") return filledText(template, values);
  if (typeof template !== "object" || template === null) return template;
  if (Array.isArray(template)) {
    return template.flatMap((item) => (isText(item) ? filledLine(item, values, nodes) : [filled(item, values, nodes)]));
  }
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, values, nodes)]));
}

function filledText(template: string, values: TemplateValues): unknown {
  const whole = /^\{(\w+)\}$/.exec(template)?.[1];
  if (whole !== undefined) return valueFor(whole, values);
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(valueFor(name, values)));
}

/** The nodes that a text of a line becomes: one, and where placeholders stand for nodes, these and what is between them. */
function filledLine(node: TextNode, values: TemplateValues, nodes: RegExp): RichTextNode[] {
  return node.text.split(nodes).flatMap((part, index): RichTextNode[] => {
    if (part === "") return [];
    // What the pattern captured stands between the texts: every second part is the name of a placeholder.
    const inner = index % 2 === 1 ? valueFor(part, values) : undefined;
    if (!isNodes(inner)) return [{ ...node, text: filledText(part, values) as string }];
    return inner.map((one) => (node.marks === undefined ? one : { ...one, marks: node.marks }));
  });
}

type TextNode = RichTextNode & { text: string };

function isText(value: unknown): value is TextNode {
  return typeof value === "object" && value !== null && "text" in value && "type" in value && value.type === "text";
}

function isNodes(value: unknown): value is RichTextNode[] {
  return Array.isArray(value) && value.every((one) => typeof one === "object" && one !== null && "type" in one);
}

function valueFor(name: string, values: TemplateValues): unknown {
  if (!(name in values)) throw new RangeError(`the placeholder {${name}} has no value`);
  return values[name];
}

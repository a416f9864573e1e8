import type { DefaultTreeAdapterTypes as Tree } from "parse5";

/** An element, and the names of those that it stands in. */
export interface Place {
  element: Tree.Element;
  above: readonly string[];
}

/** Every element below a node, in the order of the document, those of templates too. */
export function* elementsOf(node: Tree.ParentNode, above: readonly string[] = []): Generator<Place> {
  for (const child of node.childNodes) {
    if (!("tagName" in child)) continue;
    yield { element: child, above };
    yield* elementsOf("content" in child ? child.content : child, [...above, child.tagName]);
  }
}

/** Attributes by name. */
export function attributesOf({ element }: Place): Partial<Record<string, string>> {
  return Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
}

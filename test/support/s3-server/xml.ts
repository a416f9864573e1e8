/** An element: its name, and its text or its children. */
export type XmlChild = readonly [name: string, content: string | readonly XmlChild[]];

/** The elements as text, without white space between them. */
export function elements(children: readonly XmlChild[]): string {
  return children
    .map(([name, content]) => {
      const inner = typeof content === "string" ? escaped(content) : elements(content);
      return `<${name}>${inner}</${name.split(" ")[0]}>`;
    })
    .join("");
}

/** A whole document. @param root from {@link elements} */
export function xmlDocument(root: string): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${root}`);
}

/** Replaces characters by references that XML would take for markup, or would not preserve. */
function escaped(text: string): string {
  return text.replace(/[&<>"'\u0000-\u001f\u007f\ufffe\uffff]/g, (char) => {
    const named = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }[char];
    return named ?? `&#x${char.charCodeAt(0).toString(16)};`;
  });
}

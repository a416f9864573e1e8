/** Inline elements of which only the order around a text matters where they set the same property. */
const styling = new Set(["span", "mark"]);
const inline = new Set(["a", "strong", "em", "s", "u", "sup", "sub", "code", ...styling]);
const empty = new Set(["br", "hr", "img"]);

interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/**
 * An outline of well-formed HTML: one line per block tag and per text with its inline elements.
 * Inline elements that may set the same property keep their order; all others are sorted. Equal for
 * documents that differ only in the nesting and splitting of inline elements, in the order and
 * spelling of attributes, or in redundant attributes.
 */
export function htmlOutline(html: string): string[] {
  const lines: string[] = [];
  const around: Tag[] = [];
  let before: { context: string; text: string } | undefined;
  const flush = (): void => {
    if (before !== undefined) lines.push(`${JSON.stringify(before.text)} ${before.context}`);
    before = undefined;
  };
  for (const [token, slash, name = "", attributes = ""] of html.matchAll(
    /<(\/?)([a-z0-9]+)((?:[^>"]|"[^"]*")*)>|[^<]+/g,
  )) {
    const tag = { name: name === "del" ? "s" : name, attributes: readAttributes(name, attributes) };
    if (name === "") {
      const context = contextOf(around);
      if (before?.context !== context) flush();
      before = { context, text: (before?.text ?? "") + decoded(token) };
    } else if (inline.has(tag.name) && slash === "") around.push(tag);
    else if (inline.has(tag.name)) around.pop();
    else {
      flush();
      lines.push(`${slash}${shown(tag)}${empty.has(name) ? contextOf([]) : ""}`);
    }
  }
  flush();
  return lines;
}

function contextOf(around: readonly Tag[]): string {
  const meant = around.filter(({ name, attributes }) => name !== "span" || Object.keys(attributes).length > 0);
  const isStyling = ({ name, attributes }: Tag): boolean => {
    return styling.has(name) && Object.keys(attributes).join() !== "id";
  };
  const sorted = meant.filter((tag) => !isStyling(tag)).map(shown);
  return JSON.stringify([sorted.sort(), meant.filter(isStyling).map(shown)]);
}

function shown({ name, attributes }: Tag): string {
  return `${name}${JSON.stringify(attributes)}`;
}

function readAttributes(name: string, text: string): Record<string, string> {
  const found = Array.from(text.matchAll(/([a-z-]+)="([^"]*)"/gi), ([, key = "", value = ""]): [string, string] => {
    return [key, key === "style" ? styleOf(decoded(value)) : decoded(value)];
  });
  const attributes = new Map(found.filter(([, value]) => value !== "").sort(([a], [b]) => (a < b ? -1 : 1)));
  if (attributes.get("target") === "_self") attributes.delete("target");
  // Ours alone, for pages that are opened in another window.
  if (name === "a" && attributes.get("target") === "_blank") {
    const rel = (attributes.get("rel") ?? "").replace(/ ?noopener$/, "");
    attributes.delete("rel");
    if (rel !== "") attributes.set("rel", rel);
  }
  for (const one of ["colspan", "rowspan"]) if (attributes.get(one) === "1") attributes.delete(one);
  return Object.fromEntries(attributes);
}

function styleOf(value: string): string {
  const declarations = value.split(";").map((declaration) => declaration.trim());
  return declarations
    .filter((declaration) => declaration !== "")
    .sort()
    .join("; ");
}

function decoded(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}

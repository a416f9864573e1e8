import { z } from "zod";
import * as fields from "../fields.js";
import { uuidOf } from "../identifiers.js";
import { doc, type Mark, type RichTextNode } from "../rich-text.js";
import { richTextSource, text } from "./content-shape.js";
import { blocksFromMarkdown, type FindAsset, lineFromMarkdown } from "./rich-text-from-markdown.js";

/** A notation of the content files: what may stand behind its tag, and the value of the field that is made of it. */
interface Notation {
  shape: z.ZodType;
  make(value: unknown, findAsset: FindAsset): unknown;
}

/** The notations by their tag; README.md beside the content files explains them to writers. */
export const notations: Readonly<Record<string, Notation>> = {
  "!rich": notation(richTextSource, richText),
  "!text": notation(z.string(), (value, findAsset) =>
    value.replace(/asset:([\w-]+)/g, (_, name: string) => fields.addressWithoutScheme(findAsset(name))),
  ),
  "!url": notation(z.string(), (name, findAsset) => findAsset(name).url),
  "!story": notation(z.string(), uuidOf),
  "!stories": notation(z.array(z.string()), (paths) => fields.stories(...paths)),
  "!asset": notation(
    z.union([z.string(), z.looseObject({ file: z.string().exactOptional(), alt: text.exactOptional() })], {
      error: "expected the name of a file, or { file: name, … }",
    }),
    assetField,
  ),
  "!link": notation(z.record(z.string(), z.unknown()), linkField),
  "!table": notation(z.array(z.array(text)).min(1), ([head = [], ...rows]) => fields.tableField(head, ...rows)),
  "!seo": notation(z.looseObject({ title: text, description: text }), ({ title, description, ...more }) =>
    fields.seo(title, description, more),
  ),
};

function notation<T>(shape: z.ZodType<T>, make: (value: T, findAsset: FindAsset) => unknown): Notation {
  return { shape, make: (value, findAsset) => make(shape.parse(value), findAsset) };
}

function assetField(
  value: string | { [field: string]: unknown; file?: string; alt?: z.infer<typeof text> },
  findAsset: FindAsset,
): unknown {
  if (typeof value === "string") return fields.asset(findAsset(value));
  const { file, alt, without, ...more } = value;
  const field = file === undefined ? { ...fields.emptyAsset(), ...more } : fields.asset(findAsset(file), alt, more);
  return Object.fromEntries(Object.entries(field).filter(([name]) => name !== without));
}

function linkField(link: Record<string, unknown>, findAsset: FindAsset): unknown {
  const [[kind, target] = [], ...more] = Object.entries(link);
  if (kind === undefined) return fields.emptyLink();
  if (typeof target === "string") {
    if (kind === "story") return fields.linkToStory(target, Object.fromEntries(more));
    if (kind === "url") return fields.linkToUrl(target, Object.fromEntries(more));
    if (kind === "email") return fields.linkToEmail(target);
    if (kind === "asset") return fields.linkToAsset(findAsset(target));
  }
  throw new RangeError("expected { story: path }, { url: address }, { email: address }, { asset: name } or {}");
}

function richText(source: z.infer<typeof richTextSource>, findAsset: FindAsset): RichTextNode {
  return doc(...blocks(typeof source === "string" ? [source] : source, findAsset));
}

type Source = string | { [key: string]: unknown; type: string };

function blocks(parts: readonly Source[], findAsset: FindAsset): RichTextNode[] {
  return parts.flatMap((part) =>
    typeof part === "string" ? blocksFromMarkdown(part, findAsset) : [writtenNode(part, findAsset)],
  );
}

/** A node that is written as such, whose content and marks may be in short. */
function writtenNode(source: Exclude<Source, string>, findAsset: FindAsset): RichTextNode {
  const node: RichTextNode = { ...source };
  if (source.content !== undefined) {
    const content = (typeof source.content === "string" ? [source.content] : source.content) as Source[];
    const isLine = node.type === "paragraph" || node.type === "heading";
    node.content = isLine
      ? content.flatMap((part) =>
          typeof part === "string" ? lineFromMarkdown(part, findAsset) : [writtenNode(part, findAsset)],
        )
      : blocks(content, findAsset);
  }
  if (source.marks !== undefined) {
    node.marks = (source.marks as (string | Mark)[]).map((mark) => (typeof mark === "string" ? { type: mark } : mark));
  }
  return node;
}

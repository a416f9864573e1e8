import { z } from "zod";
import * as fields from "../fields.js";
import { uuidOf } from "../identifiers.js";
import { doc, type Mark, type RichTextNode } from "../rich-text.js";
import { blocksFromMarkdown, type FindAsset, lineFromMarkdown } from "./rich-text-from-markdown.js";
import { text } from "./story-shapes.js";

/**
 * Makes the value of a field of what stands behind the tag of a notation.
 *
 * @throws ZodError, RangeError where something else is expected there
 */
type Notation = (value: unknown, findAsset: FindAsset) => unknown;

const assetSource = z.union(
  [z.string(), z.looseObject({ file: z.string().exactOptional(), alt: text.exactOptional() })],
  { error: "expected the name of a file, or { file: name, … }" },
);

/** A node that is written as such; its content may be Markdown in part, its marks may be names. */
interface NodeSource {
  type: string;
  attrs?: Record<string, unknown>;
  content?: RichTextSource;
  marks?: (string | Mark)[];
}

type RichTextSource = string | (string | NodeSource)[];

const nodeSource: z.ZodType<NodeSource> = z.looseObject({
  type: z.string(),
  attrs: z.record(z.string(), z.unknown()).exactOptional(),
  content: z.lazy(() => richTextSource).exactOptional(),
  marks: z.array(z.union([z.string(), z.looseObject({ type: z.string() })])).exactOptional(),
});

const richTextSource: z.ZodType<RichTextSource> = z.union([z.string(), z.array(z.union([z.string(), nodeSource]))], {
  error: "expected Markdown, or a list of Markdown and of nodes with a type",
});

/** The notations of the content files by their tag; README.md beside the files explains them to writers. */
export const notations: Readonly<Record<string, Notation>> = {
  "!rich": notation(richTextSource, (source, findAsset) => doc(...nodesOf(source, blocksFromMarkdown, findAsset))),
  "!text": notation(z.string(), (value, findAsset) =>
    value.replace(/asset:([\w-]+)/g, (_, name: string) => fields.addressWithoutScheme(findAsset(name))),
  ),
  "!url": notation(z.string(), (name, findAsset) => findAsset(name).url),
  "!story": notation(z.string(), uuidOf),
  "!stories": notation(z.array(z.string()), (paths) => fields.stories(...paths)),
  "!asset": notation(assetSource, assetField),
  "!link": notation(z.record(z.string(), z.unknown()), linkField),
  "!table": notation(z.array(z.array(text)).min(1), ([head = [], ...rows]) => fields.tableField(head, ...rows)),
  "!seo": notation(z.looseObject({ title: text, description: text }), ({ title, description, ...more }) =>
    fields.seo(title, description, more),
  ),
};

function notation<T>(shape: z.ZodType<T>, make: (value: T, findAsset: FindAsset) => unknown): Notation {
  return (value, findAsset) => {
    shape.parse(value);
    // The value itself: what the shape returns has its keys in another order.
    return make(value as T, findAsset);
  };
}

function assetField(source: z.infer<typeof assetSource>, findAsset: FindAsset): unknown {
  if (typeof source === "string") return fields.asset(findAsset(source));
  const { file, alt, without, ...more } = source;
  const field = file === undefined ? { ...fields.emptyAsset(), ...more } : fields.asset(findAsset(file), alt, more);
  return Object.fromEntries(Object.entries(field).filter(([name]) => name !== without));
}

/** The first key says where the link leads. */
function linkField(source: Record<string, unknown>, findAsset: FindAsset): unknown {
  const [[kind, target] = [], ...more] = Object.entries(source);
  if (kind === undefined) return fields.emptyLink();
  if (typeof target === "string") {
    if (kind === "story") return fields.linkToStory(target, Object.fromEntries(more));
    if (kind === "url") return fields.linkToUrl(target, Object.fromEntries(more));
    if (kind === "email") return fields.linkToEmail(target);
    if (kind === "asset") return fields.linkToAsset(findAsset(target));
  }
  throw new RangeError("expected { story: path }, { url: address }, { email: address }, { asset: name } or {}");
}

/** @param fromMarkdown Reads what is written as Markdown: as blocks, or as one line. */
function nodesOf(
  source: RichTextSource,
  fromMarkdown: (markdown: string, findAsset: FindAsset) => RichTextNode[],
  findAsset: FindAsset,
): RichTextNode[] {
  return [source].flat().flatMap((part) => {
    if (typeof part === "string") return fromMarkdown(part, findAsset);
    const { type, content, marks } = part;
    const read = type === "paragraph" || type === "heading" ? lineFromMarkdown : blocksFromMarkdown;
    const node: RichTextNode = {
      ...part,
      content: content === undefined ? undefined : nodesOf(content, read, findAsset),
      marks: marks?.map((mark) => (typeof mark === "string" ? { type: mark } : mark)),
    };
    return [node];
  });
}

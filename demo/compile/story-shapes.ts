import { z } from "zod";
import type { DraftContent } from "../demo-story.js";
import type { RichTextNode } from "../rich-text.js";
import type { Translated } from "../translated.js";

export const strings = z.array(z.string());

/** A text, or one that differs by language. */
export const text = byLanguage(z.string(), "a text, or texts by language: { en: …, de: …, pt-br: … }");

export const richText = z.custom<RichTextNode>(
  (value) => z.object({ type: z.literal("doc") }).safeParse(value).success,
  "expected a rich text: !rich and Markdown",
);

export const language = z.enum(["de", "pt-br"]);

export const slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "expected lower case letters, digits and hyphens");

export const path = z
  .string()
  .regex(/^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/, "expected a path such as books/atlas/end-of-the-line");

export const day = z.iso.date("expected a day as YYYY-MM-DD");

export const block = z.custom<DraftContent>(
  (value) => z.object({ _uid: z.string(), component: z.string() }).safeParse(value).success,
  "expected a block: a mapping with a component",
);

const slugs = z.strictObject({ de: slug.exactOptional(), "pt-br": slug.exactOptional() }).exactOptional();

const edit = z
  .strictObject({ name: text.exactOptional(), content: z.record(z.string(), z.unknown()).exactOptional() })
  .exactOptional();

/** What a story may have beside its path, name, day and content. */
export const around = {
  startpage: z.literal(true).exactOptional(),
  slugs,
  translations: z.array(language).exactOptional(),
  withdrawn: z.array(language).exactOptional(),
  tags: strings.exactOptional(),
  position: z.int().exactOptional(),
  realPath: z.string().exactOptional(),
  metaData: z.record(z.string(), z.unknown()).exactOptional(),
  group: z.string().exactOptional(),
  state: z.enum(["never", "withdrawn", "release"]).exactOptional(),
  draft: edit,
  release: edit,
};

export const folders = list({ path, name: z.string(), date: day, slugs, position: around.position });

export const stories = list({ path, name: text, date: day, ...around, content: block });

/** Pages that are made of blocks, without an introduction; the name of each is its title. */
export const pages = list({
  path,
  title: text,
  date: day,
  slugs,
  draft: edit,
  next: z.unknown().exactOptional(),
  body: z.array(block),
});

/** Articles of the journal that are written one by one. */
export const articles = list({
  slug,
  title: text,
  date: day,
  teaser: text,
  authors: strings.exactOptional(),
  books: strings.exactOptional(),
  subjects: strings.exactOptional(),
  slugs,
  tags: around.tags,
  state: around.state,
  draft: edit,
  body: byLanguage(richText, "a rich text, or rich texts by language"),
  extras: z.array(block).exactOptional(),
});

/** A list of mappings that have these keys and no others. */
export function list<T extends z.ZodRawShape>(shape: T) {
  return z.array(z.strictObject(shape));
}

/** A value, or one that differs by language. */
function byLanguage<T>(value: z.ZodType<T>, expected: string): z.ZodType<T | Translated<T>> {
  const languages = { default: value, de: value.optional(), "pt-br": value.optional() };
  return z.union([value, z.strictObject({ $translated: z.strictObject(languages) })], {
    error: `expected ${expected}`,
  });
}

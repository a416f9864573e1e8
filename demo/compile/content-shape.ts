import { z } from "zod";
import type { RichTextNode } from "../rich-text.js";
import type { Translated } from "../translated.js";

/** A text, or one that differs by language: `{ en: …, de: …, pt-br: … }` in the files. */
export const text = byLanguage(z.string(), "a text, or texts by language: { en: …, de: …, pt-br: … }");

const slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "expected lower case letters, digits and hyphens");
const path = z.string().regex(/^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/, "expected a path such as books/atlas/end-of-the-line");
const day = z.iso.date("expected a day as YYYY-MM-DD");
const language = z.enum(["de", "pt-br"]);
const slugs = z.strictObject({ de: slug.exactOptional(), "pt-br": slug.exactOptional() });
const strings = z.array(z.string());
const block = z.looseObject(
  { _uid: z.string(), component: z.string() },
  { error: "expected a block with its component" },
);
const richText = z.custom<RichTextNode>(
  (value) => z.object({ type: z.literal("doc") }).safeParse(value).success,
  "expected a rich text: !rich and Markdown",
);
const edit = z.strictObject({
  name: text.exactOptional(),
  content: z.record(z.string(), z.unknown()).exactOptional(),
});

const folder = z.strictObject({
  path,
  name: z.string(),
  date: day,
  slugs: slugs.exactOptional(),
  position: z.int().exactOptional(),
});

/** What a story may have beside its path, name, day and content. */
const aroundContent = {
  startpage: z.literal(true).exactOptional(),
  slugs: slugs.exactOptional(),
  translations: z.array(language).exactOptional(),
  withdrawn: z.array(language).exactOptional(),
  tags: strings.exactOptional(),
  position: z.int().exactOptional(),
  realPath: z.string().exactOptional(),
  metaData: z.record(z.string(), z.unknown()).exactOptional(),
  group: z.string().exactOptional(),
  state: z.enum(["never", "withdrawn", "release"]).exactOptional(),
  draft: edit.exactOptional(),
  release: edit.exactOptional(),
};

const story = z.strictObject({ path, name: text, date: day, ...aroundContent, content: block });

/** A page that is made of blocks, without an introduction; its name is its title. */
const page = z.strictObject({
  path,
  title: text,
  date: day,
  slugs: slugs.exactOptional(),
  draft: edit.exactOptional(),
  next: z.unknown().exactOptional(),
  body: z.array(block),
});

/** Folders, and stories that are written one by one; what else a file lists is made into stories by code. */
const section = { folders: z.array(folder), stories: z.array(story) };

const article = z.strictObject({
  slug,
  title: text,
  date: day,
  teaser: text,
  authors: strings.exactOptional(),
  books: strings.exactOptional(),
  subjects: strings.exactOptional(),
  slugs: slugs.exactOptional(),
  tags: strings.exactOptional(),
  state: aroundContent.state,
  draft: aroundContent.draft,
  body: byLanguage(richText, "a rich text, or rich texts by language"),
  extras: z.array(block).exactOptional(),
});

const book = z.strictObject({
  title: text,
  author: slug,
  year: z.int(),
  pages: z.int(),
  price: z.number(),
  pitch: z.string(),
  state: aroundContent.state,
  withdrawn: aroundContent.withdrawn,
  release: aroundContent.release,
});

const asset = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["view", "portrait", "lighthouse"]), alt: text }),
  z.strictObject({ kind: z.literal("chart"), alt: text, values: z.array(z.number()) }),
  z.strictObject({ kind: z.literal("emblem"), alt: text, colour: z.string() }),
  z.strictObject({ kind: z.literal("leaflet"), alt: text, title: z.string(), pages: z.array(strings) }),
]);

/** The files by name, and what each holds. */
export const contentShapes = {
  assets: z.record(slug, asset),
  home: z.strictObject({ stories: section.stories, variants: section.stories, release: section.stories }),
  about: z.strictObject({ ...section, pages: z.array(page) }),
  books: z.strictObject({
    ...section,
    series: z.array(
      z.strictObject({
        slug,
        name: text,
        slugs: z.strictObject({ de: slug, "pt-br": slug }),
        colour: z.string(),
        about: text,
        closings: strings,
        books: z.array(book),
      }),
    ),
  }),
  "book-descriptions": z.strictObject({
    openings: strings,
    praise: strings,
    reviewers: strings,
    papers: strings,
    details: z.unknown(),
    english: z.array(richText),
    german: z.strictObject({ text: richText, closings: strings }),
    portuguese: richText,
  }),
  authors: z.strictObject({
    ...section,
    authors: z.array(
      z.strictObject({ name: z.string(), place: z.string(), line: z.string(), draft: aroundContent.draft }),
    ),
    introductions: strings,
    habits: strings,
    biography: richText,
    "biography-without-books": richText,
    "german-biography": richText,
    "german-books": z.strictObject({ none: z.string(), one: z.string(), more: z.string() }),
  }),
  subjects: z.strictObject({ ...section, subjects: z.array(z.strictObject({ slug, title: text, about: z.string() })) }),
  shops: z.strictObject({
    ...section,
    shops: z.array(
      z.strictObject({
        name: z.string(),
        town: z.string(),
        country: z.string(),
        folder: slug,
        latitude: z.number(),
        longitude: z.number(),
        about: text,
      }),
    ),
    "opening-hours": z.unknown(),
  }),
  help: z.strictObject({ ...section, questions: z.array(z.strictObject({ question: text, answer: text })) }),
  glossary: z.strictObject({
    ...section,
    terms: z.array(
      z.strictObject({ term: text, meaning: z.string(), state: aroundContent.state, draft: aroundContent.draft }),
    ),
  }),
  "reading-lists": z.strictObject({
    ...section,
    lists: z.array(
      z.strictObject({
        title: text,
        why: z.string(),
        /** Which books it has: those to which all of these apply. */
        books: z.strictObject({
          "pages-below": z.number().exactOptional(),
          "pages-above": z.number().exactOptional(),
          "price-below": z.number().exactOptional(),
          "since-year": z.int().exactOptional(),
          "until-year": z.int().exactOptional(),
          "authors-at-least": z.int().exactOptional(),
          series: z.array(slug).exactOptional(),
        }),
        translations: z.array(language),
        release: aroundContent.release,
      }),
    ),
  }),
  journal: z.strictObject({ ...section, years: z.array(z.int()) }),
  "journal-features": z.array(article),
  "journal-letters": z.strictObject({
    title: text,
    "german-teaser": z.string(),
    months: z.array(z.strictObject({ english: z.string(), german: z.string() })).length(12),
    openings: strings,
    workshops: strings,
    post: strings,
    closings: strings,
    body: richText,
  }),
  "journal-interviews": z.strictObject({
    title: text,
    teaser: text,
    introduction: richText,
    question: richText,
    questions: z.array(z.strictObject({ question: z.string(), answers: strings })),
  }),
  "journal-field-notes": z.strictObject({
    title: text,
    body: richText,
    bags: strings,
    subjects: strings,
    notes: z.array(
      z.strictObject({
        place: text,
        series: slug,
        hour: z.string(),
        seen: z.string(),
        draft: aroundContent.draft,
      }),
    ),
  }),
  "style-guide": z.strictObject(section),
  "style-guide-rich-text": z.strictObject({ stories: section.stories }),
  "style-guide-fields": z.strictObject({ stories: section.stories }),
  press: z.strictObject({
    folders: section.folders,
    releases: z.array(
      z.strictObject({
        date: day,
        headline: text,
        text: z.string(),
        embargo: z.string().exactOptional(),
        translations: z.array(language).exactOptional(),
        release: aroundContent.release,
      }),
    ),
  }),
  events: z.strictObject({
    ...section,
    kinds: z.array(z.strictObject({ kind: slug, name: text, what: z.string() })),
    about: richText,
    changes: z.record(
      z.string(),
      z.strictObject({
        state: aroundContent.state,
        withdrawn: aroundContent.withdrawn,
        draft: aroundContent.draft,
        release: aroundContent.release,
      }),
    ),
  }),
  austria: z.strictObject({
    folders: section.folders,
    shops: strings,
    pages: z.array(
      z.strictObject({
        path,
        name: z.string(),
        title: z.string(),
        text: z.string(),
        startpage: aroundContent.startpage,
        group: aroundContent.group,
        state: aroundContent.state,
        tags: aroundContent.tags,
      }),
    ),
  }),
  pages: z.strictObject(section),
  "pages-for-readers": z.array(page),
  "pages-for-the-trade": z.array(page),
  datasources: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      slug,
      languages: z.array(language),
      /** Name, value, and the value in German and Portuguese: "" where there is none. */
      rows: z.array(z.tuple([z.string(), z.string(), z.string().optional(), z.string().optional()])),
    }),
  ),
  "prepared-changes": z.strictObject({
    headlines: strings,
    answers: strings,
    renamed: z.array(z.strictObject({ path, slug })),
    deleted: z.array(path),
    created: z.array(z.strictObject({ path, name: z.string(), content: block })),
    translated: z.array(z.strictObject({ path, language, slug, name: z.string(), answer: z.string() })),
    entries: z.array(z.strictObject({ datasource: z.string(), entry: z.string(), value: z.string() })),
  }),
};

/** What may stand behind `!rich`: Markdown, or a list of Markdown and of nodes that are written as such. */
export const richTextSource = z.union(
  [z.string(), z.array(z.union([z.string(), z.looseObject({ type: z.string() })]))],
  {
    error: "expected Markdown, or a list of Markdown and of nodes with a type",
  },
);

/** The shape of a value, or of one that differs by language. */
function byLanguage<T>(value: z.ZodType<T>, expected: string): z.ZodType<T | Translated<T>> {
  const languages = { default: value, de: value.optional(), "pt-br": value.optional() };
  return z.union([value, z.strictObject({ $translated: z.strictObject(languages) })], {
    error: `expected ${expected}`,
  });
}

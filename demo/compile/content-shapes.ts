import { z } from "zod";
import {
  around,
  articles,
  block,
  day,
  folders,
  language,
  list,
  pages,
  path,
  richText,
  slug,
  stories,
  strings,
  text,
} from "./story-shapes.js";

const asset = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["view", "portrait", "lighthouse"]), alt: text }),
  z.strictObject({ kind: z.literal("chart"), alt: text, values: z.array(z.number()) }),
  z.strictObject({ kind: z.literal("emblem"), alt: text, colour: z.string() }),
  z.strictObject({ kind: z.literal("leaflet"), alt: text, title: z.string(), pages: z.array(strings) }),
]);

const series = list({
  slug,
  name: text,
  slugs: z.strictObject({ de: slug, "pt-br": slug }),
  colour: z.string(),
  about: text,
  closings: strings,
  books: list({
    title: text,
    author: slug,
    year: z.int(),
    pages: z.int(),
    price: z.number(),
    pitch: z.string(),
    state: around.state,
    withdrawn: around.withdrawn,
    release: around.release,
  }),
});

/** Which books a reading list has: those to which all of these apply. */
const criteria = z.strictObject({
  "pages-below": z.number().exactOptional(),
  "pages-above": z.number().exactOptional(),
  "price-below": z.number().exactOptional(),
  "since-year": z.int().exactOptional(),
  "until-year": z.int().exactOptional(),
  "authors-at-least": z.int().exactOptional(),
  series: z.array(slug).exactOptional(),
});

/** A taxonomy, or a term of one. */
export interface WrittenTerm {
  name: string;
  "display-name": string;
  description?: string;
  archived?: true;
  stories?: string[];
  terms?: WrittenTerm[];
}

const term: z.ZodType<WrittenTerm> = z.strictObject({
  name: z.string(),
  "display-name": z.string(),
  description: z.string().exactOptional(),
  archived: z.literal(true).exactOptional(),
  stories: z.array(path).exactOptional(),
  terms: z.lazy(() => z.array(term)).exactOptional(),
});

/** The content files by name, and what each holds. Folders and stories are written out; code makes stories of the rest. */
export const contentShapes = {
  assets: z.record(slug, asset),
  home: z.strictObject({ stories, variants: stories, release: stories }),
  about: z.strictObject({ folders, stories, pages }),
  books: z.strictObject({ folders, stories, series }),
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
    folders,
    stories,
    authors: list({ name: z.string(), place: z.string(), line: z.string(), draft: around.draft }),
    introductions: strings,
    habits: strings,
    biography: richText,
    "biography-without-books": richText,
    "german-biography": richText,
    "german-books": z.strictObject({ none: z.string(), one: z.string(), more: z.string() }),
  }),
  subjects: z.strictObject({ folders, stories, subjects: list({ slug, title: text, about: z.string() }) }),
  shops: z.strictObject({
    folders,
    stories,
    shops: list({
      name: z.string(),
      town: z.string(),
      country: z.string(),
      folder: slug,
      latitude: z.number(),
      longitude: z.number(),
      about: text,
    }),
    "opening-hours": z.unknown(),
  }),
  help: z.strictObject({ folders, stories, questions: list({ question: text, answer: text }) }),
  glossary: z.strictObject({
    folders,
    stories,
    terms: list({ term: text, meaning: z.string(), state: around.state, draft: around.draft }),
  }),
  "reading-lists": z.strictObject({
    folders,
    stories,
    lists: list({
      title: text,
      why: z.string(),
      books: criteria,
      translations: z.array(language),
      release: around.release,
    }),
  }),
  journal: z.strictObject({ folders, stories, years: z.array(z.int()) }),
  "journal-features": articles,
  "journal-letters": z.strictObject({
    title: text,
    "german-teaser": z.string(),
    months: list({ english: z.string(), german: z.string() }).length(12),
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
    questions: list({ question: z.string(), answers: strings }),
  }),
  "journal-field-notes": z.strictObject({
    title: text,
    body: richText,
    bags: strings,
    subjects: strings,
    notes: list({ place: text, series: slug, hour: z.string(), seen: z.string(), draft: around.draft }),
  }),
  "style-guide": z.strictObject({ folders, stories }),
  "style-guide-rich-text": z.strictObject({ stories }),
  "style-guide-fields": z.strictObject({ stories }),
  press: z.strictObject({
    folders,
    releases: list({
      date: day,
      headline: text,
      text: z.string(),
      embargo: z.string().exactOptional(),
      translations: around.translations,
      release: around.release,
    }),
  }),
  events: z.strictObject({
    folders,
    stories,
    kinds: list({ kind: slug, name: text, what: z.string() }),
    about: richText,
    changes: z.record(
      z.string(),
      z.strictObject({
        state: around.state,
        withdrawn: around.withdrawn,
        draft: around.draft,
        release: around.release,
      }),
    ),
  }),
  austria: z.strictObject({
    folders,
    shops: z.array(path),
    pages: list({
      path,
      name: z.string(),
      title: z.string(),
      text: z.string(),
      startpage: around.startpage,
      group: around.group,
      state: around.state,
      tags: around.tags,
    }),
  }),
  pages: z.strictObject({ folders, stories }),
  "pages-for-readers": pages,
  "pages-for-the-trade": pages,
  datasources: list({
    id: z.int(),
    name: z.string(),
    slug,
    languages: z.array(language),
    rows: z.array(z.tuple([z.string(), z.string(), z.string().optional(), z.string().optional()])),
  }),
  taxonomies: z.array(term),
  "prepared-changes": z.strictObject({
    headlines: strings,
    answers: strings,
    renamed: list({ path, slug }),
    deleted: z.array(path),
    created: list({ path, name: z.string(), content: block }),
    translated: list({ path, language, slug, name: z.string(), answer: z.string() }),
    entries: list({ datasource: z.string(), entry: z.string(), value: z.string() }),
    unpublished: z.array(path),
  }),
};

import { linkTag, listTags } from "../content/resolve/cache-tags.js";
import { inMap } from "../lib/collections/in-map.js";
import { Lru } from "../lib/collections/lru.js";
import { remembered } from "../lib/concurrency/remembered.js";
import { uuid as uuidShape } from "../lib/shape.js";
import { rowText, type StoryRow } from "../snapshot/reader/index-rows.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import {
  checkKey,
  checkOptions,
  checkText,
  editionOptions,
  filterOptions,
  readOptions,
  warnUnknown,
} from "./check-options.js";
import { findPage, rowOfSlug } from "./find-page.js";
import type { Note } from "./read-notes.js";
import type { ReadOptions, Snapshot, Story, StoryFilter, StoryKey, StoryReference, Translation } from "./snapshot.js";
import type { OpenEdition, SnapshotEditions } from "./snapshot-editions.js";
import { listedStories, NotedReference, questionOf, shownStory, storyFindings, tagsOfList } from "./story-notes.js";
import { pagelessRows, rowFilter, type StorySource, storedStories, storyResolution } from "./story-resolution.js";

export interface StoryQuestionsOptions extends StorySource {
  editions: SnapshotEditions;
  asked<T>(question: () => Promise<T>): Promise<T>;
}

export type StoryQuestions = Pick<
  Snapshot,
  "story" | "page" | "stories" | "references" | "translations" | "components"
>;

/** Many pages show the same lists. */
const keptRowHashes = 1_024;

/** @returns a function that gives the questions; its argument gets every answer */
export function storyQuestions(options: StoryQuestionsOptions): (note: Note | undefined) => StoryQuestions {
  const resolve = storyResolution(options);
  const findings = storyFindings(options);
  const rowHashes = new Lru<string, string>(keptRowHashes);
  const pageless: Noting["pageless"] = new Map();
  return (note) => questionsWith(options, { note, resolve, findings, rowHashes, pageless });
}

interface Noting {
  note: Note | undefined;
  resolve: ReturnType<typeof storyResolution>;
  findings: ReturnType<typeof storyFindings>;
  /** Of lists of rows, by question. */
  rowHashes: Lru<string, string>;
  /** By edition. Many pages ask for the same menu. */
  pageless: Map<string, () => Promise<ReadonlySet<string>>>;
}

function questionsWith(
  { config, editions, taxonomies, asked }: StoryQuestionsOptions,
  { note, resolve, findings, rowHashes, pageless }: Noting,
): StoryQuestions {
  const { links } = config.resolve;
  const isNoting = note !== undefined;
  const byRow = async (edition: OpenEdition, row: StoryRow | undefined, read: ReadOptions) => {
    const stored = row === undefined ? undefined : await edition.stories.record(row.uuid);
    const [found] = stored === undefined ? [] : await resolve(edition, [stored], read, isNoting);
    return found && shownStory(found, read, edition, note);
  };
  const rowOf = async (edition: OpenEdition, key: StoryKey): Promise<StoryRow | undefined> => {
    if (typeof key !== "string") {
      return "uuid" in key ? edition.stories.row(key.uuid) : rowOfSlug(edition, key.slug, links);
    }
    const row = uuidShape.is(key) ? await edition.stories.row(key) : undefined;
    return row ?? rowOfSlug(edition, key, links);
  };

  /** What the index alone does not tell: who carries a term, and what is a page. */
  const wanted = async (question: string, edition: OpenEdition, filter: StoryFilter) => {
    const carriers = await taxonomies.carriers(question, edition, filter);
    const read = () => pagelessRows(edition, config);
    const left =
      filter.pages === true ? await inMap(pageless, edition.entry.name, () => remembered(read))() : undefined;
    return (uuid: string) => (carriers?.has(uuid) ?? true) && left?.has(uuid) !== true;
  };

  async function* stories(filter: StoryFilter, read: ReadOptions): AsyncGenerator<Story> {
    const edition = await asked(async () => {
      checkOptions("stories()", filter, filterOptions);
      checkOptions("stories()", read, readOptions);
      const opened = await editions.open({ ...read, ...filter });
      await warnOfUnknownTypes("stories()", filter, opened, editions);
      return opened;
    });
    const batches = storedStories(edition, filter, await asked(() => wanted("stories()", edition, filter)));
    const notePlace = listedStories(edition, filter, note);
    try {
      for (;;) {
        const batch = await asked(() => batches.next());
        if (batch.done === true) return notePlace(undefined);
        for (const found of await asked(() => resolve(edition, batch.value, read, isNoting))) {
          notePlace(found.story.uuid);
          yield shownStory(found, read, edition, note);
        }
      }
    } finally {
      await batches.return(undefined);
    }
  }

  return {
    story: (key, read = {}) =>
      asked(async () => {
        checkKey("story()", key);
        checkOptions("story()", read, readOptions);
        const edition = await editions.open(read);
        const row = await rowOf(edition, key);
        const other = row === undefined ? await editionOfSlug(key, read, editions) : undefined;
        const found = { edition: other ?? edition, row: other === undefined ? row : await rowOf(other, key) };
        note?.(findings(["story", edition.entry.name, key], key, found));
        return byRow(found.edition, found.row, read);
      }),
    page: (path, read = {}) =>
      asked(async () => {
        checkText("page()", path);
        checkOptions("page()", read, readOptions);
        const open = ({ language }: { language: string }) => editions.open({ ...read, language });
        const languages = editions.inAllLanguages(read);
        const found = await findPage(path, { editions: languages, open, links });
        note?.(findings(["page", languages[0]?.name, path], path, found));
        return found && byRow(found.edition, found.row, read);
      }),
    stories: (filter = {}, read = {}) => stories(filter, read),
    references: (filter = {}) =>
      asked(async () => {
        checkOptions("references()", filter, filterOptions);
        const edition = await editions.open(filter);
        await warnOfUnknownTypes("references()", filter, edition, editions);
        const isWanted = await wanted("references()", edition, filter);
        const rows = (await edition.stories.rows(rowFilter(filter))).filter(({ uuid }) => isWanted(uuid));
        if (note === undefined) return rows.map((row) => referenceOf(edition, row));
        const question = questionOf("references", edition.entry.name, filter);
        const answer = rowHashes.get(question) ?? shortHash(rows.map(rowText).join("\n"));
        rowHashes.set(question, answer);
        note({ question, answer, tags: tagsOfList(filter, edition) });
        const list = { edition, note };
        return rows.map((row) => new NotedReference(row, list));
      }),
    translations: (uuid, read = {}) =>
      asked(async () => {
        checkText("translations()", uuid);
        checkOptions("translations()", read, editionOptions);
        const found = await translationsOf(uuid, read, editions);
        const tags = found.map(({ component, language }) => linkTag(uuid, component, language));
        const answer = JSON.stringify(found);
        const question = ["translations", uuid, ...Object.entries(read).flat()].join(" ");
        note?.({ question, answer, tags: [linkTag(uuid, undefined, ""), ...tags] });
        return found.map(({ component: _, ...translation }) => translation);
      }),
    components: (read = {}) =>
      asked(async () => {
        const { entry, stories } = await editions.open(read);
        const answer = JSON.stringify(stories.components);
        note?.({ question: `components ${entry.name}`, answer, tags: listTags(undefined, entry.language) });
        return stories.components;
      }),
  };
}

/** The edition of the language in a slug such as `de/blog/first`, if the question names none. */
async function editionOfSlug(
  key: StoryKey,
  read: ReadOptions,
  editions: SnapshotEditions,
): Promise<OpenEdition | undefined> {
  const slug = typeof key === "string" ? key : "slug" in key ? key.slug : undefined;
  if (slug === undefined || read.language !== undefined) return undefined;
  const first = slug.replace(/^\/+/, "").split("/", 1)[0];
  const entry = editions.inAllLanguages(read).find(({ language }) => language === first && language !== "default");
  return entry && editions.open({ ...read, language: entry.language });
}

/** Warns about content types that no story has in any language. */
async function warnOfUnknownTypes(
  question: string,
  filter: StoryFilter,
  { stories }: OpenEdition,
  editions: SnapshotEditions,
): Promise<void> {
  const asked = [...(rowFilter(filter).components ?? [])].filter((name) => !stories.components.includes(name));
  if (asked.length === 0) return;
  const all = await Promise.all(
    editions.inAllLanguages(filter).map(({ language }) => editions.open({ ...filter, language })),
  );
  const known = [...new Set(all.flatMap((edition) => edition.stories.components))];
  for (const name of asked) if (!known.includes(name)) warnUnknown(question, "content type", name, known);
}

async function translationsOf(
  uuid: string,
  read: Pick<ReadOptions, "version" | "release">,
  editions: SnapshotEditions,
): Promise<(Translation & { component: string })[]> {
  const found = editions.inAllLanguages(read).map(async ({ language }) => {
    const edition = await editions.open({ ...read, language });
    const row = await edition.stories.row(uuid);
    if (row === undefined) return [];
    const { full_slug, name, component } = row;
    return [{ language, full_slug, name, url: edition.url(row), isDefault: language === "default", component }];
  });
  return (await Promise.all(found)).flat();
}

function referenceOf({ entry, url }: OpenEdition, row: StoryRow): StoryReference {
  const { uuid, id, name, slug, full_slug, component, is_startpage, digest } = row;
  const { language } = entry;
  return { uuid, id, name, slug, full_slug, component, is_startpage, language, url: url(row), digest };
}

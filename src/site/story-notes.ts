import {
  addressNamer,
  addressTag,
  foldersOf,
  folderTag,
  linkTag,
  listTags,
  storyTag,
  type TagPair,
  termsTag,
  typeTag,
} from "../content/resolve/cache-tags.js";
import type { LinkSettings } from "../content/resolve/link-pattern.js";
import { isSettingsType } from "../content/tree/pageless-stories.js";
import { uuid as uuidShape } from "../lib/shape.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { StoryRow } from "../snapshot/reader/index-rows.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import type { Note, ReadAnswer } from "./read-notes.js";
import type { ResolvedStory } from "./resolve-stories.js";
import type { ReadOptions, Story, StoryFilter, StoryKey, StoryReference } from "./snapshot.js";
import type { OpenEdition } from "./snapshot-editions.js";

interface NotedSite {
  manifest: Pick<Manifest, "editions">;
  config: { resolve: { links: LinkSettings } };
}

/** Tells which story was found at a slug, a path or a uuid. */
export function storyFindings({ manifest, config }: NotedSite) {
  const nameOf = addressNamer(manifest.editions, config.resolve.links);
  return (
    question: unknown,
    key: StoryKey,
    found: { edition: OpenEdition; row: Pick<StoryRow, "uuid"> | undefined } | undefined,
  ): ReadAnswer => {
    const answer = found?.row && `${found.edition.entry.name} ${found.row.uuid}`;
    const named = typeof key === "string" ? key : "uuid" in key ? key.uuid : key.slug;
    const isByUuid = typeof key === "string" ? uuidShape.is(key) : "uuid" in key;
    const tags = isByUuid ? [linkTag(named, undefined, "")] : [];
    if (!isByUuid || answer === undefined) tags.push(addressTag(nameOf(named)));
    return { question: JSON.stringify(question), answer: answer ?? "", tags };
  };
}

/** Notes the stories of a list one by one, as they are shown; undefined: its end. */
export function listedStories(
  edition: OpenEdition,
  filter: StoryFilter,
  note: Note | undefined,
): (uuid: string | undefined) => void {
  const question = questionOf("stories", edition.entry.name, filter);
  const tags = tagsOfList(filter, edition);
  let place = 0;
  return (uuid) => {
    note?.({ question: `${question} ${place}`, answer: uuid ?? "", tags: place === 0 ? tags : [] });
    place += 1;
  };
}

/** A list below a folder has the tag of the folder; one of all pages, those of the records that may be settings, too. */
export function tagsOfList(
  { component, startsWith, term, pages }: StoryFilter,
  { entry, stories }: Pick<OpenEdition, "entry" | "stories">,
): TagPair[] {
  const { language } = entry;
  const folder = foldersOf(startsWith?.replace(/^\/+/, "") ?? "").at(-1);
  const types = typeof component === "string" ? [component] : component;
  const tags = folder === undefined ? listTags(types, language) : [folderTag(folder, language)];
  if (pages === true) {
    for (const type of stories.components.filter(isSettingsType)) tags.push(typeTag(type, language));
  }
  return term === undefined ? tags : [...tags, termsTag];
}

export function questionOf(
  kind: string,
  edition: string,
  { component, startsWith, order, term, pages }: StoryFilter,
): string {
  return `${kind} ${edition} ${JSON.stringify([component, startsWith, order, term, pages === true])}`;
}

/** A story as the question wants it, noted: all that it was made from, or only the fields that it shows. */
export function shownStory(
  { story, reads }: ResolvedStory,
  options: ReadOptions,
  { entry }: OpenEdition,
  note: Note | undefined,
): Story {
  const { fields } = options;
  if (fields === undefined) {
    if (note !== undefined) for (const read of reads) note(read);
    return story;
  }
  const picked = withFields(story, fields);
  const question = `fields ${entry.name} ${story.uuid} ${JSON.stringify(options)}`;
  note?.({ question, answer: shortHash(JSON.stringify(picked)), tags: reads.flatMap(({ tags }) => tags) });
  return picked;
}

/** A story's identity and these fields of it. `content` is always an object. */
function withFields(story: Story, fields: readonly string[]): Story {
  const { uuid, language, content } = story;
  const own = Object.entries(story).filter(([name]) => fields.includes(name));
  const inContent = Object.entries(content).filter(([name]) => fields.includes(`content.${name}`));
  return { uuid, language, content: Object.fromEntries(inContent), ...Object.fromEntries(own) } as Story;
}

interface NotedList {
  edition: OpenEdition;
  note: Note;
}

/**
 * A row of which the digest is noted when it is read: it changes with every edit, and few pages
 * show it. Copies of the row lack it.
 */
export class NotedReference implements StoryReference {
  readonly uuid: string;
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly full_slug: string;
  readonly component: string;
  readonly is_startpage: boolean;
  readonly language: string;
  readonly url: string;
  readonly #digest: string;
  readonly #list: NotedList;

  constructor(row: StoryRow, list: NotedList) {
    this.uuid = row.uuid;
    this.id = row.id;
    this.name = row.name;
    this.slug = row.slug;
    this.full_slug = row.full_slug;
    this.component = row.component;
    this.is_startpage = row.is_startpage;
    this.language = list.edition.entry.language;
    this.url = list.edition.url(row);
    this.#digest = row.digest;
    this.#list = list;
  }

  get digest(): string {
    const { edition, note } = this.#list;
    const tags = [storyTag(this.uuid, this.component, this.language)];
    note({ question: `story ${edition.entry.name} ${this.uuid}`, answer: this.#digest, tags });
    return this.#digest;
  }
}

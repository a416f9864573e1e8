import type { StoriesQuery } from "../../../contract/endpoints.js";
import { slugWithoutLanguage } from "../../../contract/story-address.js";
import { lowerBound } from "../../../lib/collections/lower-bound.js";
import type { EditionEntry } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { rowsAtOnce } from "../../replica/query/shard-rows.js";
import type { Sliced } from "../../replica/query/slices.js";
import type { StoryRows } from "../../replica/query/story-rows.js";
import { type LanguageState, languageStates, rowStates } from "./language-states.js";
import { perGeneration } from "./per-generation.js";

/** Filters of a story list. An empty text selects nothing. */
export interface StoryListQuery {
  edition: EditionEntry;
  /** Full slug of a folder, without language and outer slashes. */
  folder?: string;
  type?: string;
  tag?: string;
  /** Id of a term. */
  term?: string;
  /** Text to find in name or slug, and with `inContent` anywhere in the content. */
  search: string;
  inContent?: boolean;
  /** A language: lists stories that lack it or whose content equals the default language. */
  lacks?: string;
  /** Lists only stories in this state: with `lacks` in that language, else in the edition's own. */
  state?: LanguageState;
  /** Default: by slug. */
  isNewestFirst?: boolean;
}

export interface Facet {
  value: string;
  count: number;
}

/** The 50 most frequent types, tags and ids of terms by count, and the first 200 direct subfolders by name. */
type Facets = Record<"types" | "tags" | "terms" | "folders", Facet[]>;

export type StoryListing = Facets & { rows: ArrayLike<number>; refused?: string };

const listings = perGeneration<StoryListing>(16);

export function listStories(view: GenerationView, query: StoryListQuery): Promise<StoryListing> {
  const key = JSON.stringify({ ...query, edition: query.edition.name });
  return listings(view, key, () => makeListing(view, query));
}

async function makeListing(view: GenerationView, query: StoryListQuery): Promise<StoryListing> {
  const { edition, folder = "", type = "", tag = "", term = "", search, lacks = "", state = "" } = query;
  const { inContent = false, isNewestFirst = false } = query;
  const rows = view.stories(edition.name);
  const [property, direction] = isNewestFirst ? ["updated_at", "desc"] : ["full_slug", "asc"];
  const asked: StoriesQuery = {
    ...(folder === "" ? {} : { starts_with: `${folder}/` }),
    ...(type === "" ? {} : { content_type: type }),
    ...(tag === "" ? {} : { with_tag: [tag] }),
    ...(term === "" ? {} : { by_taxonomy_term_ids: [[term]] }),
    ...(search !== "" && inContent ? { search_term: search } : {}),
    sort_by: [{ property: [property], direction, cast: "string", nulls: "last" }],
  } as StoriesQuery;
  const list = { edition: edition.name, kind: "stories" as const, query: asked, language: edition.language };
  let selected = await view.selectStories(list);
  if ("refused" in selected)
    return { rows: [], types: [], tags: [], terms: [], folders: [], refused: selected.refused };
  if (search !== "" && !inContent) {
    const named = await rowsNamedLike(view, edition.name, search);
    selected = Uint32Array.from(selected).filter((row) => named[row] === 1);
  }
  if (lacks !== "" || state !== "") {
    const states = await rowStates(view, edition, lacks);
    const wanted = languageStates.indexOf(state);
    selected = Uint32Array.from(selected).filter((row) => (state === "" ? states[row]! > 0 : states[row] === wanted));
  }
  return { rows: selected, ...(await view.slices.run(countFacets(rows, selected, query))) };
}

function* countFacets(
  rows: StoryRows,
  selected: ArrayLike<number>,
  { folder = "", edition }: StoryListQuery,
): Sliced<Facets> {
  const paths = [["content", "component"], ["tag_list"], ["full_slug"], ["taxonomy_terms"]];
  const ready = yield* rows.prepare(paths);
  const [type, tags, slug, terms] = paths.map((path) => ready.field(path));
  const none = () => new Map<string, number>();
  const counts = { types: none(), tags: none(), terms: none(), folders: none() };
  const add = (map: Map<string, number>, value: unknown) => {
    if (typeof value === "string" && value !== "") map.set(value, (map.get(value) ?? 0) + 1);
  };
  const start = folder === "" ? 0 : folder.length + 1;
  for (let place = 0; place < selected.length; place++) {
    const row = selected[place]!;
    add(counts.types, type!(row));
    const list = tags!(row);
    if (Array.isArray(list)) for (const tag of list) add(counts.tags, tag);
    const ids = terms!(row);
    if (Array.isArray(ids)) for (const id of ids) add(counts.terms, id);
    const full = slugWithoutLanguage(String(slug!(row) ?? ""), edition.language);
    const end = full.indexOf("/", start);
    if (end > start) add(counts.folders, full.slice(start, end));
    if (place % rowsAtOnce === 0) yield;
  }
  const folders = sorted(counts.folders).sort((a, b) => (a.value < b.value ? -1 : 1));
  return {
    types: sorted(counts.types).slice(0, 50),
    tags: sorted(counts.tags).slice(0, 50),
    terms: sorted(counts.terms).slice(0, 50),
    folders: folders.slice(0, 200),
  };
}

function sorted(counts: ReadonlyMap<string, number>): Facet[] {
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

export type NamedStory = ReturnType<typeof namedStory>;
export type ListedStory = ReturnType<typeof listedStory>;

/** What names a story of a row; a member that is no text is empty. */
export function namedStory(rows: StoryRows, row: number) {
  const text = (name: string) => textIn(rows, row, [name]);
  return { uuid: text("uuid"), name: text("name"), full_slug: text("full_slug") };
}

function textIn(rows: StoryRows, row: number, path: readonly string[]): string {
  const value = rows.value(row, path);
  return typeof value === "string" ? value : "";
}

export function listedStory(rows: StoryRows, row: number) {
  const text = (path: readonly string[]) => textIn(rows, row, path);
  const tags = rows.value(row, ["tag_list"]);
  return {
    ...namedStory(rows, row),
    type: text(["content", "component"]),
    tags: Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === "string") : [],
    published_at: text(["published_at"]) || null,
    updated_at: text(["updated_at"]) || null,
  };
}

/** Names and slugs of an edition's stories in lower case, joined for a search in milliseconds. */
interface NameIndex {
  bytes: Buffer;
  ends: Uint32Array;
}

const indexes = perGeneration<NameIndex>(2);
/** Separates names and slugs; occurs in neither. */
const separator = "\u0000";
/** Read from the records: a column of names would double the memory, and nothing else needs it. */
const namePath = ["name"];

async function rowsNamedLike(view: GenerationView, edition: string, search: string): Promise<Uint8Array> {
  const { bytes, ends } = await indexes(view, edition, () => view.slices.run(makeIndex(view.stories(edition))));
  const found = new Uint8Array(ends.length);
  const needle = Buffer.from(search.toLowerCase());
  if (needle.length === 0 || needle.includes(separator)) return found;
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    const row = lowerBound(ends.length, (place) => ends[place]! > at);
    found[row] = 1;
    at = bytes.indexOf(needle, ends[row]!);
  }
  return found;
}

function* makeIndex(rows: StoryRows): Sliced<NameIndex> {
  const slug = (yield* rows.prepare([["full_slug"]])).field(["full_slug"]);
  const text = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : "");
  const ends = new Uint32Array(rows.count);
  const pieces: Buffer[] = [];
  let end = 0;
  for (let from = 0; from < rows.count; from += 64) {
    const texts: Buffer[] = [];
    for (let row = from; row < Math.min(rows.count, from + 64); row++) {
      const piece = Buffer.from(`${text(rows.value(row, namePath))}${separator}${text(slug(row))}${separator}`);
      end += piece.length;
      ends[row] = end;
      texts.push(piece);
    }
    pieces.push(Buffer.concat(texts));
    yield;
  }
  return { bytes: Buffer.concat(pieces), ends };
}

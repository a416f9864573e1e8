import type { Random } from "./random.js";
import { datasourcesOf, entriesOf, linksOf, storiesOf, tagsOf, tagsOfStory } from "./records.js";
import type { Dialect, SpaceState } from "./space-state.js";
import { taxonomiesOf, termsOfStory, treesOf } from "./terms.js";

/** An answer of the interface, before edges and faults change it. */
export interface ModelAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request without its token. */
export interface ModelRequest {
  pathname: string;
  query: URLSearchParams;
}

export interface OriginContext {
  state: SpaceState;
  dialect: Dialect;
  cv: number;
  /** The version in the record of the space; default: the cv. */
  version?: number;
  /** Set if this listing has its own order (the links listing promises none). */
  shuffle: Random | undefined;
}

/** What the space itself answers: seed sections 4.1, 4.5, 4.6 and the documented endpoints beyond them. */
export function originAnswer(request: ModelRequest, context: OriginContext): ModelAnswer {
  const { state, cv } = context;
  const { query } = request;
  switch (request.pathname.replace(/\/+$/, "")) {
    case "/v2/cdn/stories":
      return stories(request, context);
    case "/v2/cdn/links":
      return links(request, context);
    case "/v2/cdn/datasources":
      return listAnswer("datasources", datasourcesOf(state), query, context, listsCap(context.dialect));
    case "/v2/cdn/datasource_entries": {
      const dimension = query.get("dimension") ?? undefined;
      const entries = entriesOf(state, query.get("datasource") ?? undefined, dimension);
      return listAnswer("datasource_entries", entries, query, context, listsCap(context.dialect));
    }
    case "/v2/cdn/tags":
      return json(`{"tags":[${tagsOf(state, versionOf(query)).join(",")}]}`);
    case "/v2/cdn/taxonomies":
      if (context.dialect.taxonomies === undefined) return notFound();
      return json(`{"taxonomies":[${taxonomiesOf(state, "served").join(",")}],"cv":${cv}}`);
    case "/v2/cdn/experiments":
      return json(`{"experiments":[],"cv":${cv}}`);
    case "/v2/cdn/spaces/me": {
      const space = {
        id: 4711,
        name: "Model",
        domain: "https://model.example/",
        version: context.version ?? cv,
        language_codes: state.languages,
      };
      return json(JSON.stringify({ space }));
    }
    default:
      return tree(request, context) ?? notFound();
  }
}

function tree({ pathname }: ModelRequest, { state, dialect, cv }: OriginContext): ModelAnswer | undefined {
  const id = pathname.split("/taxonomies/")[1];
  if (dialect.taxonomies === undefined || id === undefined) return undefined;
  const found = treesOf(state, "served", dialect.taxonomies.treesNameStories).find(([root]) => root === id);
  return found && json(`{"taxonomy":${found[1]},"cv":${cv}}`);
}

export function notFound(): ModelAnswer {
  return { ...json('["This record could not be found"]'), status: 404 };
}

export function json(body: string, headers: Record<string, string> = {}): ModelAnswer {
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body };
}

export function versionOf(query: URLSearchParams): "published" | "draft" {
  return query.get("version") === "draft" ? "draft" : "published";
}

const storyParameters = new Set([
  "version", "cv", "language", "fallback_lang", "by_uuids", "content_type", "with_tag", "from_release",
  "only_variants", "sort_by", "per_page", "page", "starts_with",
]); // biome-ignore format: one list

const termParameters = new Set(["with_taxonomy_terms", "by_taxonomy_term_ids", "with_taxonomy_subterms"]);

function listsCap({ listsPageCap = 1_000 }: Dialect): number {
  return Math.min(1_000, listsPageCap);
}

function stories({ query }: ModelRequest, context: OriginContext): ModelAnswer {
  const { state, dialect } = context;
  const knowsTerms = dialect.taxonomies?.refusesParameter === false;
  const isKnown = (name: string) => storyParameters.has(name) || (knowsTerms && termParameters.has(name));
  const unknown = [...query.keys()].find((name) => !isKnown(name));
  if (unknown !== undefined) return { ...json(`{"error":"Parameter(s) ${unknown} not allowed"}`), status: 422 };
  const version = versionOf(query);
  const release = query.get("from_release");
  const language = query.get("language") ?? "default";
  const withTerms = query.get("with_taxonomy_terms") === "1" ? { terms: "served" as const } : {};
  const ofRelease = release === null ? {} : { release };
  const texts = storiesOf(state, dialect, { version, language, ...ofRelease, ...withTerms });
  const wanted = listOf(query.get("by_uuids"));
  const type = query.get("content_type");
  const tags = listOf(query.get("with_tag"));
  let uuids = query.get("only_variants") === "true" ? [] : [...texts.keys()];
  if (wanted !== undefined) uuids = uuids.filter((uuid) => wanted.includes(uuid));
  if (type !== null) uuids = uuids.filter((uuid) => JSON.parse(texts.get(uuid)!).content.component === type);
  if (tags !== undefined) {
    uuids = uuids.filter((uuid) => tagsOfStory(state.stories.get(uuid)!, version)?.some((tag) => tags.includes(tag)));
  }
  // The only lists by terms are those of whole taxonomies.
  const roots = listOf(query.get("by_taxonomy_term_ids"));
  if (roots !== undefined) {
    const isBelow = (term: object) => roots.includes((term as { taxonomy_id: string }).taxonomy_id);
    uuids = uuids.filter((uuid) => termsOfStory(state, uuid, "served").some(isBelow));
  }
  const sorted = sortStories(uuids, query.get("sort_by"), state);
  return listAnswer(
    "stories",
    sorted.map((uuid) => texts.get(uuid)!),
    query,
    context,
    Math.min(100, dialect.storiesPageCap),
    ',"rels":[],"links":[]',
  );
}

function sortStories(uuids: string[], sortBy: string | null, state: SpaceState): string[] {
  if (sortBy === null) return uuids;
  const [property, direction] = sortBy.split(":");
  const sign = direction === "desc" ? -1 : 1;
  const key = (uuid: string): number | string => {
    const story = state.stories.get(uuid)!;
    return property === "id" ? story.id : story.slug;
  };
  return [...uuids].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
}

function links({ query }: ModelRequest, { state, dialect, shuffle }: OriginContext): ModelAnswer {
  const all = [...linksOf(state, dialect, versionOf(query))];
  const dated = query.get("include_dates") === "1";
  const rows = (shuffle === undefined ? all : shuffle.shuffle(all)).map(
    ([uuid, text]) => `${JSON.stringify(uuid)}:${dated ? text : withoutDates(text)}`,
  );
  const { page, perPage } = paging(query, Math.min(1000, dialect.linksPageCap));
  const shown = rows.slice((page - 1) * perPage, page * perPage);
  const headers: Record<string, string> = dialect.hidesPerPage ? {} : { "per-page": String(perPage) };
  if (dialect.totalOnLinks) headers.total = String(rows.length);
  return json(`{"links":{${shown.join(",")}}}`, headers);
}

function withoutDates(text: string): string {
  const { created_at: _created, updated_at: _updated, published_at: _published, ...line } = JSON.parse(text);
  return JSON.stringify(line);
}

function listAnswer(
  key: string,
  texts: readonly string[],
  query: URLSearchParams,
  { dialect, cv }: OriginContext,
  cap: number,
  rest = "",
): ModelAnswer {
  const { page, perPage } = paging(query, cap);
  const shown = texts.slice((page - 1) * perPage, page * perPage);
  const pageSize = dialect.hidesPerPage ? {} : { "per-page": String(perPage) };
  const headers = { total: String(texts.length), ...pageSize };
  return json(`{"${key}":[${shown.join(",")}],"cv":${cv}${rest}}`, headers);
}

/** Page and page size; a size above the maximum is clamped, as `Per-Page` shows. */
function paging(query: URLSearchParams, cap: number): { page: number; perPage: number } {
  const page = Math.max(1, Number(query.get("page") ?? 1));
  return { page, perPage: Math.min(cap, Math.max(1, Number(query.get("per_page") ?? 25))) };
}

function listOf(text: string | null): string[] | undefined {
  return text === null || text === "" ? undefined : text.split(",");
}

import { onTestFinished } from "vitest";
import { uuidOf } from "./editable-space.js";
import { type PlainAnswer, startScriptedServer } from "./scripted-server.js";

/** Kinds of records that a space answers with. */
export type RecordKind =
  | "story"
  | "link"
  | "variant"
  | "datasource"
  | "entry"
  | "tag"
  | "experiment"
  | "space"
  | "spaceInfo"
  | "webhookEndpoint";

/** One record of an answer; its fields may hold anything. */
export type AnyRecord = Record<string, unknown>;

/** Replaces the record of a kind with this key by one or several others. */
export interface Mutation {
  kind: RecordKind;
  /** {@link keyOf} */
  key: string;
  mutate(record: AnyRecord): unknown[];
}

/** A small space of every kind of record, whose answers a test spoils. It shares no code with the replica. */
export interface HostileSpace {
  url: string;
  cv: number;
  mutations: readonly Mutation[];
  /** When each story was published last, by slug: a change shows in the index. */
  published: Record<string, string>;
  /** The healthy records of a kind in the default language. */
  records(kind: RecordKind): AnyRecord[];
}

/** Represents in a record a value that JSON.stringify cannot write. */
export const rawValue = (text: string): string => `\u0001${Buffer.from(text).toString("hex")}\u0001`;

const slugs = ["home", "blog/", "blog/first", "blog/second", "about"];

/** The key of a record, in a mutation and in a snapshot. */
export function keyOf(kind: RecordKind, record: AnyRecord): string {
  if (kind === "story" || kind === "variant" || kind === "link") return String(record.uuid);
  return String(kind === "tag" ? record.name : record.id);
}

/** @param atEnd Called with what stops it; default: it ends with the test. */
export async function startHostileSpace(
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<HostileSpace> {
  const space: HostileSpace = {
    url: "",
    cv: 1_700_000_000,
    mutations: [],
    published: Object.fromEntries(slugs.map((slug) => [slug, "2024-05-01T10:00:00.000Z"])),
    records: (kind) => healthy(space, kind, "default"),
  };
  const server = await startScriptedServer(({ path, query }) => answer(space, path, query));
  atEnd(() => server.close());
  space.url = server.url;
  return space;
}

function answer(space: HostileSpace, path: string, query: URLSearchParams): PlainAnswer {
  const { cv } = space;
  const language = query.get("language") ?? "default";
  const spoiled = (kind: RecordKind, wanted: (record: AnyRecord) => boolean = () => true) =>
    healthy(space, kind, language)
      .filter(wanted)
      .flatMap((record) => spoil(space, kind, record));
  const only = (key: string, kind: RecordKind) => send({ [key]: spoiled(kind)[0] ?? null, cv });
  switch (path) {
    case "/v2/cdn/stories": {
      const uuids = query.get("by_uuids")?.split(",");
      const kind = query.get("only_variants") === null ? "story" : "variant";
      const stories = spoiled(kind, ({ uuid }) => uuids === undefined || uuids.includes(String(uuid)));
      return send(
        { stories: stories.slice(0, Number(query.get("per_page"))), cv, rels: [], links: [] },
        stories.length,
      );
    }
    case "/v2/cdn/links": {
      const links = spoiled("link");
      return send({ links: rawMap(links) }, links.length);
    }
    case "/v2/cdn/datasources":
      return list("datasources", spoiled("datasource"), cv);
    case "/v2/cdn/datasource_entries": {
      const of = query.get("datasource");
      const entries = spoiled("entry", ({ id }) => String(id).startsWith(of === "sizes" ? "6" : "5"));
      return list("datasource_entries", entries, cv);
    }
    case "/v2/cdn/tags":
      return send({ tags: spoiled("tag") });
    case "/v2/cdn/experiments":
      return list("experiments", spoiled("experiment"), cv);
    case "/v2/cdn/spaces/me":
      return only("space", "space");
    case "/v1/space_info":
      return only("space", "spaceInfo");
    case "/v1/spaces/9/webhook_endpoints/77":
      return only("webhook_endpoint", "webhookEndpoint");
    default:
      return { status: 404, body: {} };
  }
}

function spoil(space: HostileSpace, kind: RecordKind, record: AnyRecord): unknown[] {
  return space.mutations
    .filter((one) => one.kind === kind && one.key === keyOf(kind, record))
    .reduce<unknown[]>(
      (records, { mutate }) => records.flatMap((one) => mutate(structuredClone(one as AnyRecord))),
      [record],
    );
}

/** A map may hold a name twice in JSON, as an object of JavaScript cannot. */
function rawMap(records: unknown[]): string {
  const members = records.map((record, at) => {
    const uuid = (record as AnyRecord | null)?.uuid;
    return `${JSON.stringify(typeof uuid === "string" && /^[0-9a-f-]{36}$/.test(uuid) ? uuid : `row ${at}`)}:${JSON.stringify(record)}`;
  });
  return rawValue(`{${members.map(withRawValues).join(",")}}`);
}

function list(key: string, records: unknown[], cv: number): PlainAnswer {
  return send({ [key]: records, cv }, records.length);
}

function send(body: object, total?: number): PlainAnswer {
  const headers = { "content-type": "application/json", ...(total === undefined ? {} : { total: String(total) }) };
  return { headers, body: withRawValues(JSON.stringify(body)) };
}

function withRawValues(json: string): string {
  return json.replace(/"\\u0001([0-9a-f]*)\\u0001"/g, (_, hex: string) => Buffer.from(hex, "hex").toString());
}

/** The JSON of a record as the space sends it. */
export function sentText(record: unknown): string {
  return withRawValues(JSON.stringify(record));
}

function healthy(space: HostileSpace, kind: RecordKind, language: string): AnyRecord[] {
  switch (kind) {
    case "story":
      return slugs.map((slug, at) => storyOf(space, slug, at, language));
    case "variant":
      return [storyOf(space, "blog/variant", 90, language)];
    case "link":
      return [...slugs.map((slug, at) => linkOf(space, slug, at)), folder()];
    case "datasource":
      return [
        { id: 5, name: "Colours", slug: "colours", dimensions: [{ id: 55, name: "German", entry_value: "de" }] },
        { id: 6, name: "Sizes", slug: "sizes", dimensions: [] },
      ];
    case "entry":
      return [500, 501, 600].map((id) => ({ id, name: `n${id}`, value: `v${id}`, dimension_value: null }));
    case "tag":
      return ["red", "blue"].map((name) => ({ name, taggings_count: slugs.length }));
    case "experiment":
      return [experiment()];
    case "space":
      return [
        { id: 9, name: "Hostile", domain: "https://x.example/", version: space.cv, language_codes: ["de", "fr"] },
      ];
    case "spaceInfo":
      return [
        { id: 9, name: "Hostile", domain: "https://x.example/", plan_level: 2, languages: [{ code: "de", name: "D" }] },
      ];
    case "webhookEndpoint":
      return [{ id: 77, name: "build", space_id: 9, actions: ["story.published"], activated: true }];
  }
}

function experiment(): AnyRecord {
  const mapping = (variant_story_id: number | null, variant_slug: string | null) => [
    { original_story_id: idOf(2), original_slug: "blog/first", variant_story_id, variant_slug },
  ];
  return {
    id: 70,
    name: "hero",
    display_name: "Hero",
    story_ids: [idOf(2)],
    variants: [
      { name: "a", public_id: "a", weight: 50, is_control: true, story_mappings: mapping(null, null) },
      { name: "b", public_id: "b", weight: 50, is_control: false, story_mappings: mapping(idOf(90), "blog/variant") },
    ],
  };
}

const idOf = (at: number) => 1_000 + at;
const groupOf = (slug: string) => uuidOf(slug.startsWith("blog/") ? "group of the blog" : `group of ${slug}`);

function storyOf(space: HostileSpace, slug: string, at: number, language: string): AnyRecord {
  const full = language === "default" ? slug : `${language}/${slug}`;
  const alternates = slugs.flatMap((other, index) =>
    other !== slug && groupOf(other) === groupOf(slug) && slug !== "blog/variant"
      ? [
          {
            ...{ id: idOf(index), name: other, slug: lastOf(other), published: true },
            ...{ full_slug: other, is_folder: false, parent_id: 0 },
          },
        ]
      : [],
  );
  return {
    name: slug,
    created_at: "2024-01-01T00:00:00.000Z",
    published_at: space.published[slug] ?? "2024-05-01T10:00:00.000Z",
    id: idOf(at),
    uuid: uuidOf(slug),
    content: {
      _uid: uuidOf(`content of ${slug}`),
      component: "page",
      headline: `${slug} (${language})`,
      count: String(at),
      related: [uuidOf("blog/first")],
      link: { fieldtype: "multilink", linktype: "story", id: uuidOf("about"), url: "", cached_url: "about" },
      text: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "hello" }] }] },
      body: [{ _uid: "b", component: "teaser", claim: "x" }],
    },
    slug: lastOf(slug),
    full_slug: full,
    sort_by_date: null,
    position: at,
    tag_list: ["red", "blue"],
    is_startpage: slug.endsWith("/"),
    parent_id: slug.startsWith("blog/") && slug !== "blog/variant" ? 2_000 : 0,
    meta_data: null,
    group_id: groupOf(slug),
    first_published_at: "2024-01-02T00:00:00.000Z",
    release_id: null,
    lang: language,
    path: null,
    alternates,
    default_full_slug: slug,
    translated_slugs: [{ path: `${slug}-de`, name: null, lang: "de", published: true }],
  };
}

function linkOf(space: HostileSpace, slug: string, at: number): AnyRecord {
  return {
    id: idOf(at),
    uuid: uuidOf(slug),
    slug,
    path: null,
    parent_id: slug.startsWith("blog/") ? 2_000 : 0,
    name: slug,
    is_folder: false,
    published: true,
    is_startpage: slug.endsWith("/"),
    position: at,
    real_path: `/${slug}`,
    published_at: space.published[slug],
    created_at: "2024-01-01T00:00:00.000Z",
    updated_at: space.published[slug],
    alternates: ["de", "fr"].map((lang) => {
      return { path: slug, name: null, lang, published: true, translated_slug: slug };
    }),
  };
}

function folder(): AnyRecord {
  return {
    ...{ id: 2_000, uuid: uuidOf("folder blog"), slug: "blog", path: null, parent_id: 0, name: "Blog" },
    ...{ is_folder: true, published: false, is_startpage: false, position: 9, real_path: "/blog" },
    ...{ published_at: null, created_at: "2024-01-01T00:00:00.000Z", updated_at: "2024-01-01T00:00:00.000Z" },
  };
}

function lastOf(slug: string): string {
  return slug.split("/").filter(Boolean).at(-1) ?? "";
}

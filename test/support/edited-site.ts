import fc from "fast-check";
import type { Snapshot, Story } from "../../src/index.js";
import { contentHash } from "../../src/lib/content-hash.js";
import { parts } from "../../src/snapshot/layout.js";
import { type SampleContent, story, uuid } from "./sample-snapshot.js";

/** A story of the space: where it is, and what it says and shows. */
interface Entry {
  type: string;
  place: number;
  name: number;
  title: number;
  text: number;
  date: number;
  related: readonly number[];
  picture: number;
  /** Its real path; 0: none. */
  path: number;
  /** Number of its term; 0: none. */
  term: number;
  /** The name in the German edition, which is saved on its own; 0: it is not there. */
  german: number;
  /** Changes with every other save, as `published_at` does. */
  saved: number;
}

export interface EditedSpace {
  entries: readonly (Entry | undefined)[];
  labels: readonly number[] | undefined;
  /** The name of a term above those of the stories, which stories do not show. */
  topic: number;
  /** The version of each picture's bytes; 0: it is not downloaded. */
  pictures: readonly number[];
}

const entryCount = 12;
const places = [
  "home",
  "blog/",
  "blog/one",
  "blog/two",
  "blog/three",
  "about",
  "settings",
  "blog/deep/",
  "blog/deep/a",
];
const entry: fc.Arbitrary<Entry> = fc.record({
  type: fc.constantFrom("page", "post", "post", "author"),
  place: fc.nat(places.length - 1),
  name: fc.nat(3),
  title: fc.nat(3),
  text: fc.nat(5),
  date: fc.nat(5),
  related: fc.array(fc.nat(entryCount), { maxLength: 2 }),
  picture: fc.nat(2),
  path: fc.constantFrom(0, 0, 0, 0, 1),
  term: fc.nat(2),
  german: fc.nat(2),
  saved: fc.constant(0),
});

export const firstSpace: fc.Arbitrary<EditedSpace> = fc.record({
  entries: fc.array(fc.option(entry, { nil: undefined, freq: 6 }), { minLength: entryCount, maxLength: entryCount }),
  labels: fc.constant([0, 1]),
  topic: fc.constant(0),
  pictures: fc.tuple(fc.nat(1), fc.nat(1)),
});

export type Edit = (space: EditedSpace) => EditedSpace;

const place = fc.nat(entryCount - 1);
const edits: readonly fc.Arbitrary<Edit>[] = [
  changeOf(fc.record({ at: place, now: entry, field: fc.nat(10) })),
  fc.record({ at: place, now: entry }).map(({ at, now }) => replaced(at, () => now)),
  place.map((at) => replaced(at, () => undefined)),
  fc
    .option(fc.array(fc.nat(3), { maxLength: 3 }), { nil: undefined, freq: 5 })
    .map((labels) => (space: EditedSpace) => ({ ...space, labels })),
  fc.tuple(fc.nat(2), fc.nat(2)).map(
    (pictures) =>
      (space: EditedSpace): EditedSpace => ({ ...space, pictures }),
  ),
  fc.record({ at: place, german: fc.nat(2) }).map(({ at, german }) => replaced(at, (old) => old && { ...old, german })),
  fc.nat(2).map((topic) => (space: EditedSpace) => ({ ...space, topic })),
];

/** One thing that an editor does, as often as editors do. */
export const usualEdit = fc.oneof(
  ...edits.map((arbitrary, kind) => ({ arbitrary, weight: [12, 2, 1, 1, 1, 1, 1][kind] ?? 1 })),
);
/** One thing, each kind of it as often: for mistakes that few edits show. */
export const anyEdit = fc.oneof(...edits);

function changeOf(change: fc.Arbitrary<{ at: number; now: Entry; field: number }>): fc.Arbitrary<Edit> {
  return change.map(({ at, now, field }) => {
    const name = Object.keys(now)[field] as keyof Entry;
    return replaced(at, (old) => old && { ...old, [name]: now[name], saved: old.saved + (name === "german" ? 0 : 1) });
  });
}

function replaced(at: number, change: (old: Entry | undefined) => Entry | undefined): Edit {
  return (space) => ({ ...space, entries: space.entries.map((one, place) => (place === at ? change(one) : one)) });
}

const address = (picture: number) => `https://a.storyblok.com/f/7/abc/picture-${picture}.png`;

/** The records of a space. Two stories never have one slug: the second one has its number in it. */
export function recordsOf({ entries, labels, topic, pictures }: EditedSpace): SampleContent {
  const used = new Set<string>();
  const stories = entries.flatMap((one, at) => {
    if (one === undefined) return [];
    const place = places[one.place]!;
    const full_slug = used.has(place) ? `${place.replace(/\/$/, "")}-${at}` : place;
    used.add(full_slug);
    return [{ one, record: recordOf(one, at, full_slug) }];
  });
  const german = stories.flatMap(({ one, record }) =>
    one.german === 0
      ? []
      : [{ ...record, full_slug: `de/${record.full_slug}`, name: `Name ${one.german}`, lang: "de" }],
  );
  const label = (value: number, at: number) => ({ id: at, name: `label-${at}`, value: `Label ${value}` });
  return {
    editions: {
      "published/default": stories.map(({ record }) => record),
      "published/de": german,
    },
    parts: {
      [parts.terms]: [treeOf(topic, entries)],
      ...(labels === undefined
        ? { [parts.datasources]: [] }
        : {
            [parts.datasources]: [{ id: 3, name: "Labels", slug: "labels", dimensions: [] }],
            [parts.entries(3, null)]: labels.map(label),
          }),
    },
    assets: pictures.map((version, at) => pictureOf(version, at + 1)),
  };
}

function treeOf(topic: number, entries: EditedSpace["entries"]): object {
  const idsOf = (number: number) => entries.flatMap((one, at) => (one?.term === number ? [{ id: at + 1 }] : []));
  const leaf = (number: number) => ({ id: `t${number}`, name: `term-${number}`, associated_content: idsOf(number) });
  const above = { id: "t9", name: `topic-${topic}`, children: [leaf(1), leaf(2)], associated_content: [] };
  return { id: "t0", name: "topics", children: [above] };
}

function recordOf(one: Entry, at: number, full_slug: string) {
  const content = {
    _uid: `u${at}`,
    component: one.type,
    title: `Title ${one.title}`,
    hidden: one.text,
    body: { type: "doc", content: [{ type: "paragraph", content: [linked(one)] }] },
    related: one.related.map((to) => uuid(to + 1)),
    picture: { fieldtype: "asset", filename: one.picture === 0 ? "" : address(one.picture) },
  };
  return story(at + 1, {
    full_slug,
    slug: full_slug.replace(/\/$/, "").split("/").at(-1)!,
    is_startpage: full_slug.endsWith("/"),
    name: `Name ${one.name}`,
    path: one.path === 0 ? null : `/real/path-${at}`,
    published_at: new Date(1_700_000_000_000 + one.saved).toISOString(),
    first_published_at: new Date(1_600_000_000_000 + one.date).toISOString(),
    ...(one.term === 0 ? {} : { taxonomy_terms: [{ id: `t${one.term}`, name: `term-${one.term}` }] }),
    content,
  });
}

function linked({ text, related }: Entry) {
  const [to = entryCount + 5] = related;
  const attrs = { href: "/old", uuid: uuid(to + 1), linktype: "story" };
  return { type: "text", text: `Text ${Math.floor(text / 2)}`, marks: [{ type: "link", attrs }] };
}

function pictureOf(version: number, at: number) {
  const bytes = new Uint8Array([version]);
  const hash = version === 0 ? null : String(version).repeat(64);
  const record = { key: contentHash(address(at)), url: address(at), hash, name: `p${at}.png`, type: "image/png" };
  return { record: { ...record, bytes: 1, uses: version + at }, bytes };
}

/** Every address that the site may have or miss. */
export const routes = [
  ...["", "de"].flatMap((language) =>
    ["home", ...(language === "" ? places.slice(1) : ["blog/", "blog/one"]), "nowhere", "real/path-2"].map((place) => {
      const path = [language, place === "home" ? "" : place.replace(/\/$/, "")].filter(Boolean).join("/");
      return `/${path}`;
    }),
  ),
  "/all",
];

/** The page at a route: with menu, breadcrumbs, more stories, labels, picture and relations. */
export async function renderPage(s: Snapshot, route: string): Promise<string> {
  if (route === "/all") return pageOfAll(s);
  const language = route.startsWith("/de") ? "de" : "default";
  const page = await s.page(route, { depth: route.endsWith("one") ? 1 : 0 });
  const settings = await s.story("settings", { fields: ["content.title"] });
  const parts = [
    `<title>${page?.content.title ?? "404"} ${settings?.content.title ?? "no settings"}</title>`,
    await menu(s, language),
    await breadcrumbs(s, route, language),
    page === undefined ? "" : await mainPart(s, page),
    route.length % 2 === 0 ? await moreStories(s, language) : "",
    route.length % 2 === 1 ? await neighbours(s, route, language) : "",
    await labels(s),
    route.length % 3 === 0 ? await topics(s, language) : "",
  ];
  return parts.join("\n");
}

async function menu(s: Snapshot, language: string): Promise<string> {
  const rows = await s.references({ component: "page", language });
  return `<nav>${rows.map(({ name, url }) => `<a href="${url}">${name}</a>`).join("")}</nav>`;
}

async function breadcrumbs(s: Snapshot, route: string, language: string): Promise<string> {
  const folders = route.split("/").filter((part) => part !== "" && part !== "de");
  const names: string[] = [];
  for (let depth = 1; depth < folders.length; depth += 1) {
    const parent = await s.story({ slug: folders.slice(0, depth).join("/") }, { language, fields: ["name", "url"] });
    names.push(parent === undefined ? "-" : `<a href="${parent.url}">${parent.name}</a>`);
  }
  return names.join(" / ");
}

/** Other stories of a term, by its path, or the names of all terms. */
async function topics(s: Snapshot, language: string): Promise<string> {
  if (language === "de") return JSON.stringify(await s.terms());
  const rows = await s.references({ term: "topics/topic-0/term-1" });
  return rows.map(({ name }) => name).join(" ");
}

async function mainPart(s: Snapshot, { content, uuid: id, taxonomy_terms: terms = [] }: Story): Promise<string> {
  const related = (Array.isArray(content.related) ? content.related : []) as Story[];
  const shown = related.map(({ name, url, content: inner }) => `${name} ${url} ${inner?.title ?? ""}`);
  const languages = await s.translations(id);
  const { src } = (content.picture ?? {}) as { src?: string };
  const paths = terms.map(({ path }) => path);
  return [s.html(content.body), ...shown, ...paths, src, ...languages.map(({ url, name }) => `${url} ${name}`)].join(
    "\n",
  );
}

async function moreStories(s: Snapshot, language: string): Promise<string> {
  const found: Story[] = [];
  const fields = ["name", "url", "first_published_at", "content.title"];
  for await (const one of s.stories({ component: "post", startsWith: "blog/", language }, { fields })) found.push(one);
  const dateOf = (one: Story) => String(one.first_published_at);
  const newest = found.sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : dateOf(a) > dateOf(b) ? -1 : 0)).slice(0, 3);
  return newest.map(({ name, url, content }) => `<a href="${url}">${name}: ${content.title}</a>`).join("");
}

/** A sidebar lists the other stories of the folder. */
async function neighbours(s: Snapshot, route: string, language: string): Promise<string> {
  const startsWith = route.replace(/^\/(?:de\/)?/, "").replace(/[^/]*$/, "");
  const rows = startsWith === "" ? [] : await s.references({ startsWith, language });
  return rows.map(({ name, url }) => `<a href="${url}">${name}</a>`).join("");
}

async function labels(s: Snapshot): Promise<string> {
  const found = await s.datasource("labels");
  return found === undefined ? "no labels" : found.map(({ name, value }) => `${name}=${value}`).join(" ");
}

/** Reads more stories than a page may have tags. */
async function pageOfAll(s: Snapshot): Promise<string> {
  const names: string[] = [];
  for (let at = 1; at < 80; at += 1) names.push((await s.story({ uuid: uuid(at) }, { fields: ["name"] }))?.name ?? "-");
  return names.join(" ");
}

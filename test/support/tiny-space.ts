import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { uuidOf } from "./editable-space.js";

/** A story of {@link TinySpace}. */
export interface TinyStory {
  slug: string;
  headline: string;
  /** Names the asset of the space. */
  image?: boolean;
}

/**
 * The smallest space that a sync can read: a handful of stories with one asset, a datasource and a tag, in one or two
 * languages. It shares no code with the replica, and answers in a millisecond.
 */
export interface TinySpace {
  url: string;
  id: number;
  cv: number;
  stories: TinyStory[];
  languages: string[];
  entries: Record<string, string>;
  /** Bytes of the asset. */
  image: Buffer;
  /** True if a request is answered 503. */
  fails: (path: string, query: URLSearchParams) => boolean;
  /** Requests that were answered, assets apart. */
  requests: number;
  close(): Promise<void>;
}

/** Starts the space; it ends with the test. */
export async function startTinySpace(initial: Partial<TinySpace> = {}): Promise<TinySpace> {
  const space = await openTinySpace(initial);
  onTestFinished(() => space.close());
  return space;
}

export async function openTinySpace(initial: Partial<TinySpace> = {}): Promise<TinySpace> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/image.png") {
      response.writeHead(200, { "content-type": "image/png" }).end(space.image);
      return;
    }
    space.requests++;
    if (space.fails(pathname, searchParams)) {
      response.writeHead(503).end();
      return;
    }
    const answer = answerOf(space, pathname, searchParams);
    if (answer === undefined) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const headers = { "content-type": "application/json", total: String(answer.total ?? 1), "per-page": "100" };
    response.writeHead(200, headers).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const space: TinySpace = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    id: 9,
    cv: 1_700_000_000,
    stories: [
      { slug: "home", headline: "Home", image: true },
      { slug: "blog/first", headline: "First" },
      { slug: "blog/second", headline: "Second" },
    ],
    languages: [],
    entries: { red: "#f00" },
    image: Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("a picture of the tiny space")]),
    fails: () => false,
    requests: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    ...initial,
  };
  return space;
}

function answerOf(
  space: TinySpace,
  path: string,
  query: URLSearchParams,
): { body: object; total?: number } | undefined {
  const { cv } = space;
  if (path === "/v2/cdn/stories") {
    const wanted = query.get("by_uuids")?.split(",");
    const stories = space.stories
      .filter(({ slug }) => wanted === undefined || wanted.includes(uuidOf(slug)))
      .map((story) => storyOf(space, story, query.get("language") ?? "default"));
    const perPage = Number(query.get("per_page") ?? 25);
    return { body: { stories: stories.slice(0, perPage), cv, rels: [], links: [] }, total: stories.length };
  }
  if (path === "/v2/cdn/links") {
    const links = space.stories.map((story) => [uuidOf(story.slug), linkOf(story)]);
    return { body: { links: Object.fromEntries(links) }, total: links.length };
  }
  if (path === "/v2/cdn/datasources") {
    return { body: { datasources: [{ id: 5, name: "Colours", slug: "colours", dimensions: [] }], cv } };
  }
  if (path === "/v2/cdn/datasource_entries") {
    const entries = Object.entries(space.entries).map(([name, value], at) => {
      return { id: 50 + at, name, value, dimension_value: null };
    });
    return { body: { datasource_entries: entries, cv }, total: entries.length };
  }
  if (path === "/v2/cdn/tags") return { body: { tags: [{ name: "tiny", taggings_count: space.stories.length }] } };
  if (path === "/v2/cdn/experiments") return { body: { experiments: [], cv }, total: 0 };
  if (path === "/v2/cdn/spaces/me") {
    const { id, languages } = space;
    return { body: { space: { id, name: "Tiny", domain: space.url, version: cv, language_codes: languages } } };
  }
  return undefined;
}

/** A story's date follows from its text: every edit shows in the index. */
function dateOf({ headline }: TinyStory): string {
  const seconds = [...headline].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);
  return new Date(Date.UTC(2024, 0, 1) + seconds * 1000).toISOString();
}

function storyOf(space: TinySpace, story: TinyStory, language: string): object {
  const { slug, headline, image } = story;
  const uuid = uuidOf(slug);
  return {
    name: headline,
    created_at: "2024-01-01T00:00:00.000Z",
    published_at: dateOf(story),
    id: idOf(slug),
    uuid,
    content: {
      _uid: uuidOf(`content of ${slug}`),
      component: "page",
      headline: language === "default" ? headline : `${headline} (${language})`,
      ...(image === true ? { image: { id: 7, fieldtype: "asset", filename: `${space.url}/image.png`, alt: "" } } : {}),
    },
    slug: slug.split("/").at(-1),
    full_slug: language === "default" ? slug : `${language}/${slug}`,
    position: 0,
    tag_list: ["tiny"],
    is_startpage: false,
    parent_id: 0,
    group_id: uuidOf(`group of ${slug}`),
    lang: language,
    alternates: [],
    translated_slugs: null,
  };
}

function linkOf(story: TinyStory): object {
  return {
    id: idOf(story.slug),
    uuid: uuidOf(story.slug),
    slug: story.slug,
    path: null,
    parent_id: 0,
    name: story.headline,
    is_folder: false,
    published: true,
    is_startpage: false,
    position: 0,
    real_path: `/${story.slug}`,
    published_at: dateOf(story),
    created_at: "2024-01-01T00:00:00.000Z",
  };
}

function idOf(slug: string): number {
  return Number.parseInt(uuidOf(slug).replaceAll("-", "").slice(0, 10), 16);
}

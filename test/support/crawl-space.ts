import type { Config } from "../../src/config/config.js";
import type { StoriesQuery } from "../../src/contract/endpoints.js";
import type { LinkRecord, StoryRecord } from "../../src/contract/records.js";
import { OffprintError } from "../../src/lib/errors.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { CrawlContext } from "../../src/sync/crawl/crawl-run.js";
import type { EditionSpec } from "../../src/sync/crawl/run/editions.js";
import type { Pacing } from "../../src/sync/crawl/run/pin.js";
import type { Answer, Page, RecordText } from "../../src/sync/upstream/answer.js";
import type { Upstream } from "../../src/sync/upstream/upstream.js";
import { sampleConfig } from "./sample-config.js";

/** Everything of a space. */
export const includeAll: Config["source"]["include"] = {
  ...sampleConfig.source.include,
  datasources: "none",
  tags: false,
  experiments: false,
  space: false,
};

export const published: EditionSpec = {
  name: "published/default",
  version: "published",
  release: null,
  language: "default",
  fallbackLang: undefined,
  settings: "s",
};

/** A record, and its canonical text. */
export function textOf<T>(value: T): RecordText<T> {
  return { value, text: JSON.stringify(value) };
}

/** A published story; its uuid is its slug. */
export function story(slug: string, more: Partial<StoryRecord> = {}): StoryRecord {
  const date = "2026-01-01T00:00:00.000Z";
  const id = slug.charCodeAt(0);
  return {
    uuid: slug,
    id,
    name: slug,
    slug,
    full_slug: slug,
    parent_id: 0,
    published_at: date,
    updated_at: date,
    ...more,
  };
}

/** The index row of a story. */
export function linkOf(
  { uuid, id, name, full_slug, published_at, updated_at }: StoryRecord,
  more: object = {},
): LinkRecord {
  const link = { uuid, id, name, slug: full_slug, parent_id: 0, is_folder: false, published_at, updated_at, ...more };
  return link as unknown as LinkRecord;
}

/** A space in memory that answers the reads of a crawl as it is at that moment. */
export interface CrawlSpace {
  cv: number;
  links: LinkRecord[];
  stories: StoryRecord[];
  /** Called before each answer, with the request: `probe`, `links`, or uuids. */
  onRead(what: string): void;
  readonly asked: string[];
  readonly upstream: Upstream;
}

export function crawlSpace(stories: StoryRecord[]): CrawlSpace {
  const asked: string[] = [];
  const note = (what: string) => {
    asked.push(what);
    space.onRead(what);
  };
  const page = <T>(records: T[]): Answer<Page<T>> => ({
    kind: "served",
    dateMs: null,
    cv: space.cv,
    body: { records: records.map(textOf), total: records.length, perPage: null },
  });
  const upstream = {
    counts: { total: 0, retried: 0, rateLimited: 0, fromEdge: 0, bytes: 0 },
    async probe() {
      note("probe");
      return { cv: space.cv, dateMs: null, total: space.stories.length };
    },
    async links() {
      note("links");
      return page(space.links);
    },
    async stories({ by_uuids = [] }: StoriesQuery) {
      note(by_uuids.join(" "));
      return page(space.stories.filter(({ uuid }) => by_uuids.includes(uuid)));
    },
  } as unknown as Upstream;
  const space: CrawlSpace = {
    cv: 100,
    links: stories.map((one) => linkOf(one)),
    stories,
    onRead() {},
    asked,
    upstream,
  };
  return space;
}

/** Time passes only by waiting. */
export function stillTime(): Pacing & { waits: number[] } {
  const waits: number[] = [];
  return { waits, now: () => 0, sleep: async (ms) => void waits.push(ms) };
}

/** The first crawl of a space, of its published stories in the default language. */
export function crawlContext(space: CrawlSpace, more: Partial<CrawlContext> = {}): CrawlContext {
  const source = { ...sampleConfig.source, versions: ["published" as const], releases: [], include: includeAll };
  return {
    config: { ...sampleConfig, source },
    upstream: space.upstream,
    store: createMemoryStore(),
    pacing: stillTime(),
    previous: undefined,
    probe: { cv: space.cv, dateMs: null, total: null },
    due: { published: ["first sync"], unpinned: false, recheck: false },
    specs: [published],
    space: undefined,
    taxonomies: { kind: "none", requests: 0 },
    askedForAssets: [],
    looks: [],
    auditCursor: {},
    settleMs: 2_000,
    full: false,
    brake({ code, message }) {
      throw new OffprintError(code, message);
    },
    dryRun: false,
    onProgress() {},
    ...more,
  };
}

import type { PreparedSpace, SpaceShape } from "./prepared-space.js";
import { folderCount, folderText, storiesPerFolder } from "./records.js";

/** Odd, so that multiplying by it goes through all numbers of 32 bits, spread evenly over them; and what undoes it. */
const spread = 0x9e3779b1;
const unspread = inverseOf(spread);
const startMs = Date.UTC(2024, 0, 1);

/**
 * A space of small stories (0.7 KB each, 0.4 KB a row of the index) in one language, of which nothing is kept: every answer is
 * made from the numbers of its stories, which their uuids tell.
 */
export function numberedSpace({ stories: count }: SpaceShape): PreparedSpace {
  // Old enough to be read at by the server's clock.
  let cv = Math.floor(Date.now() / 1000) - 10_000;
  let edits = 0;
  /** By number of a story: how often it was published anew. */
  const revisions = new Map<number, number>();
  const folders = folderCount(count);
  const storyOf = (n: number): Buffer => Buffer.from(smallStoryText(n, revisions.get(n) ?? 0));
  const rowOf = (at: number): Buffer =>
    at < folders ? member(folderText(at)) : member(smallLinkText(at - folders, revisions.get(at - folders) ?? 0));
  return {
    get cv() {
      return cv;
    },
    total: count,
    storyPage: (_language, page, perPage) => numbersOf(page, perPage, count).map(storyOf),
    storiesByUuid: (_language, uuids) =>
      uuids.flatMap((uuid) => {
        const n = numberOf(uuid);
        return n < count && uuidOfNumber(n) === uuid ? [storyOf(n)] : [];
      }),
    linksPage: (page, perPage) => ({
      rows: numbersOf(page, perPage, folders + count).map(rowOf),
      total: folders + count,
    }),
    edit(change) {
      if (!("articles" in change)) throw new Error("a numbered space has no authors");
      cv++;
      edits++;
      for (let at = 0; at < change.articles; at++) {
        const n = (edits * 37 + at * 101_111) % count;
        revisions.set(n, (revisions.get(n) ?? 0) + 1);
      }
    },
  };
}

/** The numbers on a page, counted from 0. */
function numbersOf(page: number, perPage: number, count: number): number[] {
  const from = (page - 1) * perPage;
  return Array.from({ length: Math.max(0, Math.min(perPage, count - from)) }, (_, at) => from + at);
}

function uuidOfNumber(n: number): string {
  const first = hex(Math.imul(n, spread) >>> 0);
  const second = hex(Math.imul(n ^ 0x5bd1e995, 0x85ebca6b) >>> 0);
  const third = hex(Math.imul(n ^ 0x1b873593, 0xc2b2ae35) >>> 0);
  return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-8${third.slice(0, 3)}-${third.slice(3)}${first.slice(1)}`;
}

function numberOf(uuid: string): number {
  return Math.imul(Number.parseInt(uuid.slice(0, 8), 16), unspread) >>> 0;
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

/** What a number of 32 bits has to be multiplied by to give 1, by Newton's iteration. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let step = 0; step < 5; step++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

function smallLinkText(n: number, revision: number): string {
  const folder = Math.floor(n / storiesPerFolder);
  const slug = `section-${folder}/article-${n}`;
  const date = dateOf(n, revision);
  return `{"id":${1_000_000 + n},"uuid":"${uuidOfNumber(n)}","slug":"${slug}","path":null,"parent_id":${100 + folder},"name":"Article number ${n}","is_folder":false,"published":true,"is_startpage":false,"position":${n},"real_path":"/${slug}","published_at":"${date}","created_at":"2024-01-01T00:00:00.000Z","updated_at":"${date}"}`;
}

function smallStoryText(n: number, revision: number): string {
  const folder = Math.floor(n / storiesPerFolder);
  const uuid = uuidOfNumber(n);
  const date = dateOf(n, revision);
  return `{"name":"Article number ${n}","created_at":"2024-01-01T00:00:00.000Z","published_at":"${date}","updated_at":"${date}","id":${1_000_000 + n},"uuid":"${uuid}","content":{"_uid":"${uuid}","component":"article","title":"Article number ${n}","teaser":"What number ${n} is about, revised ${revision} times, in one sentence."},"slug":"article-${n}","full_slug":"section-${folder}/article-${n}","sort_by_date":null,"position":${n},"tag_list":[],"is_startpage":false,"parent_id":${100 + folder},"meta_data":null,"group_id":"${uuid}","first_published_at":"2024-01-01T00:00:00.000Z","release_id":null,"lang":"default","path":null,"alternates":[],"default_full_slug":null,"translated_slugs":null}`;
}

function dateOf(n: number, revision: number): string {
  return new Date(startMs + n * 60_000 + revision * 1_000).toISOString();
}

/** A line as a member of the map that the listing is: under its uuid. */
function member(line: string): Buffer {
  const at = line.indexOf('"uuid":') + 7;
  return Buffer.from(`${line.slice(at, at + 38)}:${line}`);
}

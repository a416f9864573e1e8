import type { DemoStory } from "./demo-story.js";
import { numberOf } from "./identifiers.js";
import { space } from "./space.js";

/** Timestamps of one version of a story, as ISO 8601. */
export interface StoryTimes {
  created: string;
  published: string | null;
  firstPublished: string | null;
  updated: string;
}

const hour = 3_600_000;
const day = 24 * hour;
/** Milliseconds between the publication of a story and the writing of its record. */
const writingMs = 412;

/** Timestamps of a story: fixed by its date and path, never later than the space's cv. */
export function timesOf(story: DemoStory): { published: StoryTimes; draft: StoryTimes } {
  const seed = numberOf(`time ${story.path}`);
  const first = Date.parse(`${story.date}T00:00:00.000Z`) + 7 * hour + (seed % (10 * hour));
  const again = seed % 3 === 0 ? first + (1 + (seed % 9)) * day + (seed % hour) : first;
  const last = Math.min(again, space.cv * 1000 - hour - (seed % hour));
  const edited = Math.min(last + 2 * day + (seed % (5 * hour)), space.cv * 1000 - (seed % hour) - 1);
  const isPublished = story.state === undefined || story.state === "release";
  const published = {
    created: isoTime(first - (1 + (seed % 20)) * day - (seed % 7919)),
    published: isPublished ? isoTime(last) : null,
    firstPublished: story.state === "never" ? null : isoTime(Math.min(first, last)),
    updated: isoTime(last + writingMs),
  };
  const isEdited = story.draft !== undefined || !isPublished;
  return { published, draft: isEdited ? { ...published, updated: isoTime(edited) } : published };
}

/** Timestamps of an edit that takes the space to this cv: the publication, and the writing of the record. */
export function editTimes(cv: number): Pick<StoryTimes, "updated"> & { published: string } {
  return { published: isoTime(cv * 1000 - writingMs), updated: isoTime(cv * 1000) };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

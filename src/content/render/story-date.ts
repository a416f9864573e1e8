import type { Blok, StoryRecord } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { fieldWords } from "./field-name.js";

/** The date of a story's page, and the rule that chose it. */
export interface StoryDate {
  date: Date;
  /**
   * `setting`: the field that `content.types` names; `field`: an obvious date field of the content; else the key of the
   * story itself.
   */
  rule: "setting" | "field" | "sort_by_date" | "first_published_at" | "published_at" | "created_at";
  field: string;
}

export interface StoryDateOptions {
  /** `content.types.<type>.date`. */
  setting?: string | undefined;
  /** As the whole space shows it; undefined: the names of the fields and the values of the story decide. */
  dateField?: ((component: string) => string | undefined) | undefined;
}

/**
 * The field that the setting names, else an obvious date field of the content, else the first date of the story.
 * An obvious field does not count with a date after the story's last change: that of an event to come, with which
 * generators hide a page.
 */
export function storyDate(story: StoryRecord, options: StoryDateOptions): StoryDate | undefined {
  const content = isObject(story.content) ? story.content : undefined;
  const { setting } = options;
  const named = setting === undefined ? undefined : dateIn(content?.[setting]);
  if (setting !== undefined && named !== undefined) return { date: named, rule: "setting", field: setting };
  const obvious = content === undefined || setting !== undefined ? undefined : obviousDate(content, story, options);
  if (obvious !== undefined) return obvious;
  for (const rule of storyKeys) {
    const date = dateIn(story[rule]);
    if (date !== undefined) return { date, rule, field: rule };
  }
  return undefined;
}

const dayMs = 24 * 60 * 60_000;
const storyKeys = ["sort_by_date", "first_published_at", "published_at", "created_at"] as const;

/** Names of fields that say when a story appeared, the best first. A date under another name may be an event's. */
const dateNames = `date published_on published_at publish_date published_date publication_date publishing_date pub_date
  date_published published publish_on publish_at posted_on posted_at post_date date_posted
  veroeffentlicht_am veröffentlicht_am veroeffentlichungsdatum veröffentlichungsdatum publicatiedatum
  date_publication date_de_publication date_publicacion date_publicación date_de_publicacion data_pubblicazione`
  .split(/\s+/)
  .map((name) => name.replaceAll("_", ""));

/** The place of a field's name in the list, 0 being the best, written in any way (`publishedAt`); -1 for others. */
export function dateNameRank(field: string): number {
  return dateNames.indexOf(fieldWords(field).join(""));
}

function obviousDate(content: Blok, story: StoryRecord, { dateField }: StoryDateOptions): StoryDate | undefined {
  const ofSpace = dateField?.(content.component);
  const named = Object.keys(content)
    .filter((name) => dateNameRank(name) >= 0 && name !== ofSpace)
    .sort((a, b) => dateNameRank(a) - dateNameRank(b));
  for (const field of ofSpace === undefined ? named : [ofSpace, ...named]) {
    const date = dateIn(content[field]);
    if (date !== undefined && date.getTime() <= lastChange(story) + dayMs) return { date, rule: "field", field };
  }
  return undefined;
}

/** When the story changed last, in milliseconds; of a story without dates, later than every date. */
function lastChange({ updated_at, published_at, first_published_at, created_at }: StoryRecord): number {
  const times = [updated_at, published_at, first_published_at, created_at].map((text) => dateIn(text)?.getTime() ?? 0);
  return Math.max(...times) || Number.POSITIVE_INFINITY;
}

const dateShape =
  /^([1-9]\d{3}-\d{2}-(\d{2}))(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(Z|[+-]\d{2}:?\d{2}|UTC)?)?$/;

/** A text as a date: `2019-05-04`, with a time (`2019-05-04 10:00`), and with a zone; without one it is UTC. */
export function dateIn(value: unknown): Date | undefined {
  const [, day, ofMonth, time = "00:00", seconds = ":00", zone = "Z"] =
    typeof value === "string" ? (dateShape.exec(value.trim()) ?? []) : [];
  if (day === undefined) return undefined;
  const isDay = Number(ofMonth) <= 28 || new Date(`${day}T00:00:00Z`).getUTCDate() === Number(ofMonth);
  const date = new Date(`${day}T${time}${seconds}${zone === "UTC" ? "Z" : zone.replace(/(\d{2})(\d{2})$/, "$1:$2")}`);
  return isDay && !Number.isNaN(date.getTime()) ? date : undefined;
}

import { PageTags, storyTag, type TagPair } from "../content/resolve/cache-tags.js";
import { contentFormat, type ShapingConfig } from "../content/tree/content-settings.js";
import type { StoryRecord } from "../contract/records.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";

/** One answer that site code read. */
export interface ReadAnswer {
  question: string;
  /** The answer or its hash; "" for none. Undefined: another answer contains what is shown of it. */
  answer: string | undefined;
  tags: readonly TagPair[];
}

export type Note = (answer: ReadAnswer) => void;

/** What a tracked function has read. */
export interface ReadNotes {
  note: Note;
  /** A hash of all answers; always the same if there is none. */
  key(): string;
  tags(): string[];
}

/** @param basis what else shapes answers: the settings. @param outer notes of the function around this one */
export function createReadNotes(basis: string, outer?: Note): ReadNotes {
  const answers = new Map<string, string>();
  const tags = new PageTags();
  return {
    note(one) {
      outer?.(one);
      if (one.answer !== undefined) answers.set(one.question, one.answer);
      for (const pair of one.tags) tags.add(pair);
    },
    key() {
      if (answers.size === 0) return shortHash("");
      const lines = Array.from(answers, ([question, answer]) => JSON.stringify([question, answer]));
      return shortHash(`${basis}\n${lines.sort().join("\n")}`);
    },
    tags: () => tags.list(),
  };
}

type Edition = Pick<EditionEntry, "name" | "language">;

/** The answer to a question for a story that is there. @param digest `shortHash` of its record */
export function storyAnswer({ name, language }: Edition, story: StoryRecord, digest: string): ReadAnswer {
  const component: unknown = story.content?.component;
  const tag = storyTag(story.uuid, typeof component === "string" ? component : "", language);
  return { question: `story ${name} ${story.uuid}`, answer: digest, tags: [tag] };
}

/** What shapes answers besides the content: no folder of this machine. */
export function keyBasis({ resolve, assets, content, source }: ShapingConfig): string {
  const { target, richText, types } = content;
  const include = [source.include.startsWith, source.include.excludeSlugs, source.include.contentTypes];
  const shape = [contentFormat, resolve, assets.baseUrl ?? null, assets.metadata, target, richText, types, include];
  return shortHash(JSON.stringify(shape));
}

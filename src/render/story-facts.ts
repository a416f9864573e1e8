import type { StoryRecord } from "../contract/records.js";

/** What the front matter of a story is made of. */
export interface StoryFacts {
  /** The resolved story. */
  story: StoryRecord;
  title: string;
  /** The site's URL. */
  url: string;
  /** Whether what the story says is not published, so that a site in production does not show it. */
  isDraft: boolean;
  /** Fields of the content that are not in the body, in order; without the one that is the title. */
  fields: readonly (readonly [name: string, value: unknown])[];
}

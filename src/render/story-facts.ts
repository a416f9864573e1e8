import type { StoryRecord } from "../contract/records.js";
import type { Publication } from "../resolve/publication.js";

/** What the front matter of a story is made of. */
export interface StoryFacts {
  /** The resolved story. */
  story: StoryRecord;
  title: string;
  /** The site's URL. */
  url: string;
  /** How what the story says stands to what is published: a site in production shows what is. */
  publication: Publication;
  /** Whether its file stands for a folder in which other stories are published. */
  hasPublishedBelow: boolean;
  /** Fields of the content that are not in the body, in order; without the one that is the title. */
  fields: readonly (readonly [name: string, value: unknown])[];
}

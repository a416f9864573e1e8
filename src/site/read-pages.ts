import type { Blok } from "../contract/records.js";
import type { OpenSnapshotOptions, ReadOptions, Snapshot, Story, StoryFilter, Translation } from "./snapshot.js";

/**
 * A story as a page of a site: with its address in every language that has it. `SitePage<Article>` has content of a type
 * that `offprint types` prints.
 */
export type SitePage<Content = Blok> = Story<Content> & { translations: readonly Translation[] };

/** Which stories become pages, and how they are read. */
export interface PageSelection extends Omit<StoryFilter, "language"> {
  /** `all` (the default), or codes of languages; the default language is `default`. */
  languages?: "all" | readonly string[];
  /** How deep relations are embedded; default: `resolve.depth` of the configuration. */
  depth?: number;
  /** What rich text becomes; default: `content.richText` of the configuration, the document. */
  richText?: "document" | "html" | "markdown" | "text";
  /** Whether a page has the `body` of its story. */
  body?: boolean;
}

/** Where a site adapter finds its snapshot. */
export interface SnapshotPlace {
  /** The output folder; default: that of the configuration. */
  dir?: string;
  snapshot?: OpenSnapshotOptions;
}

/** The pages that a site makes of the stories, language by language, each in the order of the full slugs. */
export async function* readPages(snapshot: Snapshot, selection: PageSelection = {}): AsyncGenerator<SitePage> {
  const { languages = "all", depth, richText, body, version, release, component, startsWith, order } = selection;
  const filter: StoryFilter = given({ version, release, component, startsWith, order });
  const how: ReadOptions = given({ depth, richText, body });
  for (const language of languages === "all" ? snapshot.languages : languages) {
    for await (const story of snapshot.stories({ ...filter, language }, how)) {
      yield { ...story, translations: await snapshot.translations(story.uuid) };
    }
  }
}

/** The options that have a value. */
function given(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

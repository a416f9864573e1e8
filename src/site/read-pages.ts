import type { Blok } from "../contract/records.js";
import type { OpenSnapshotOptions, ReadOptions, Snapshot, Story, StoryFilter, Translation } from "./snapshot.js";

/**
 * A story as a page, with its address in every language that has it. `SitePage<Article>` has
 * content of a type that `offprint types` prints.
 */
export type SitePage<Content = Blok> = Story<Content> & { translations: readonly Translation[] };

/** Which stories become pages, and how they are read. */
export interface PageSelection extends Omit<StoryFilter, "language">, Pick<ReadOptions, "depth" | "richText" | "body"> {
  /** `all` (the default), or language codes; the default language is `default`. */
  languages?: "all" | readonly string[];
}

/** Where an adapter finds its snapshot. */
export interface SnapshotPlace {
  /** The output folder; default: from the configuration. */
  dir?: string;
  snapshot?: OpenSnapshotOptions;
}

/**
 * The stories as pages, language by language, each in the order of full slugs. Leaves out stories that
 * are no pages ({@link StoryFilter.pages}), unless `pages` is false or `component` names their type.
 */
export async function* readPages(snapshot: Snapshot, selection: PageSelection = {}): AsyncGenerator<SitePage> {
  const { languages = "all", depth, richText, body, version, release, component, startsWith, term, order } = selection;
  const { pages = component === undefined } = selection;
  const edition = given({ version, release });
  const filter: StoryFilter = given({ ...edition, component, startsWith, term, order, pages });
  const how: ReadOptions = given({ depth, richText, body });
  for (const language of languages === "all" ? snapshot.languages : languages) {
    for await (const story of snapshot.stories({ ...filter, language }, how)) {
      yield { ...story, translations: await snapshot.translations(story.uuid, edition) };
    }
  }
}

function given(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

import { cataloguedAsset } from "./assets/pictures.js";
import type { Content } from "./compile/compile-content.js";
import { type DemoDatasource, datasourceOf } from "./datasources.js";
import type { DemoFolder, DemoStory } from "./demo-story.js";
import { readContent } from "./read-content.js";
import { austriaStories } from "./stories/austria.js";
import { authorStories } from "./stories/authors.js";
import { bookStories, seriesFolders, seriesStories } from "./stories/books.js";
import { catalogueOf } from "./stories/catalogue.js";
import { eventStories } from "./stories/events.js";
import { glossaryStories } from "./stories/glossary.js";
import { helpStories } from "./stories/help.js";
import { journalStories } from "./stories/journal.js";
import { pageStory } from "./stories/page.js";
import { pressStories } from "./stories/press.js";
import { readingListStories } from "./stories/reading-lists.js";
import { shopStories } from "./stories/shops.js";
import { subjectStories } from "./stories/subjects.js";

/** The demo space as the content files describe it: what its editors begin with. */
export interface WrittenSpace {
  folders: readonly DemoFolder[];
  stories: readonly DemoStory[];
  /** The variant stories of the running experiment, which lie beside the stories. */
  variants: readonly DemoStory[];
  datasources: readonly DemoDatasource[];
  /** What editors can do to it. */
  changes: Content["prepared-changes"];
}

/** The space as it is written; read and built when it is first asked for. */
export function writtenSpace(): WrittenSpace {
  known ??= buildSpace(readContent());
  return known;
}

let known: WrittenSpace | undefined;

function buildSpace(content: Content): WrittenSpace {
  for (const [name, asset] of Object.entries(content.assets)) cataloguedAsset(name, asset);
  return {
    folders: folderOrder.flatMap((name) =>
      name === "books" ? [...content.books.folders, ...seriesFolders(content)] : content[name].folders,
    ),
    stories: storiesOf(content),
    variants: content.home.variants,
    datasources: content.datasources.map(datasourceOf),
    changes: content["prepared-changes"],
  };
}

/** A folder's place in this order decides its id. */
const folderOrder = [
  "about",
  "books",
  "authors",
  "subjects",
  "shops",
  "help",
  "glossary",
  "reading-lists",
  "journal",
  "style-guide",
  "press",
  "events",
  "austria",
  "pages",
] as const;

/** All stories, section by section. A story's place in this order decides its id. */
function storiesOf(content: Content): DemoStory[] {
  const catalogue = catalogueOf(content);
  return [
    ...content.home.stories,
    ...content.about.stories,
    ...content.about.pages.map(pageStory),
    ...content.books.stories,
    ...seriesStories(content, catalogue),
    ...bookStories(content, catalogue),
    ...content.authors.stories,
    ...authorStories(content, catalogue),
    ...content.subjects.stories,
    ...subjectStories(content.subjects),
    ...content.shops.stories,
    ...shopStories(content.shops),
    ...content.help.stories,
    ...helpStories(content.help),
    ...content.glossary.stories,
    ...glossaryStories(content.glossary),
    ...content["reading-lists"].stories,
    ...readingListStories(content["reading-lists"], catalogue),
    ...content.journal.stories,
    ...journalStories(content, catalogue),
    ...content["style-guide"].stories,
    ...content["style-guide-rich-text"].stories,
    ...content["style-guide-fields"].stories,
    ...pressStories(content.press),
    ...content.events.stories,
    ...eventStories(content, catalogue),
    ...austriaStories(content.austria),
    ...content.home.release,
    ...content.pages.stories,
    ...content["pages-for-readers"].map(pageStory),
    ...content["pages-for-the-trade"].map(pageStory),
  ];
}

import { assetLibrary, cataloguedAsset, type DemoAsset } from "./assets/pictures.js";
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
import { type DemoTerm, taxonomiesOf } from "./taxonomies.js";

/** The demo space as the content files describe it: what its editors begin with. */
export interface WrittenSpace {
  folders: readonly DemoFolder[];
  stories: readonly DemoStory[];
  /** The variant stories of the running experiment, which lie beside the stories. */
  variants: readonly DemoStory[];
  datasources: readonly DemoDatasource[];
  taxonomies: readonly DemoTerm[];
  /** The files that the stories name. */
  assets: readonly DemoAsset[];
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
  const sections = sectionsOf(content);
  return {
    folders: sections.flatMap(({ folders }) => folders),
    stories: sections.flatMap(({ stories }) => stories),
    variants: content.home.variants,
    datasources: content.datasources.map(datasourceOf),
    taxonomies: taxonomiesOf(content.taxonomies),
    assets: assetLibrary(),
    changes: content["prepared-changes"],
  };
}

interface Section {
  folders: readonly DemoFolder[];
  stories: readonly DemoStory[];
}

/** All folders and stories. The place of each in this order decides its id. */
function sectionsOf(content: Content): Section[] {
  const catalogue = catalogueOf(content);
  const { home, about, books, pages } = content;
  return [
    section(home),
    section(about, about.pages.map(pageStory)),
    section({ ...books, folders: [...books.folders, ...seriesFolders(content)] }, [
      ...seriesStories(content, catalogue),
      ...bookStories(content, catalogue),
    ]),
    section(content.authors, authorStories(content, catalogue)),
    section(content.subjects, subjectStories(content.subjects)),
    section(content.shops, shopStories(content.shops)),
    section(content.help, helpStories(content.help)),
    section(content.glossary, glossaryStories(content.glossary)),
    section(content["reading-lists"], readingListStories(content["reading-lists"], catalogue)),
    section(content.journal, journalStories(content, catalogue)),
    section(content["style-guide"]),
    section(content["style-guide-rich-text"]),
    section(content["style-guide-fields"]),
    section({ folders: content.press.folders }, pressStories(content.press)),
    section(content.events, eventStories(content, catalogue)),
    section({ folders: content.austria.folders }, austriaStories(content.austria)),
    section({ stories: home.release }),
    section(pages, [...content["pages-for-readers"], ...content["pages-for-the-trade"]].map(pageStory)),
  ];
}

/** @param built Stories that code makes of the lists of the section. */
function section({ folders = [], stories = [] }: Partial<Section>, built: readonly DemoStory[] = []): Section {
  return { folders, stories: [...stories, ...built] };
}

import type { PageMaker } from "./page.js";
import { makeAssetPage } from "./pages/asset-page.js";
import { makeAssetsPage } from "./pages/assets-page.js";
import { makeComparePage } from "./pages/compare-page.js";
import { makeCompareStoryPage } from "./pages/compare-story-page.js";
import { makeLanguagesPage } from "./pages/languages-page.js";
import { makeProblemsPage } from "./pages/problems-page.js";
import { makeRunsPage } from "./pages/runs-page.js";
import { makeSearchPage } from "./pages/search-page.js";
import { makeStatePage } from "./pages/state-page.js";
import { makeStoriesPage } from "./pages/stories-page.js";
import { makeStoryPage } from "./pages/story-page.js";
import { makeUsagePage } from "./pages/usage-page.js";

/** Every page by its path; `*` is one segment that the page reads. */
const pages: Readonly<Record<string, PageMaker>> = {
  "": makeStatePage,
  index: makeStatePage,
  stories: makeStoriesPage,
  search: makeSearchPage,
  "stories/*": makeStoryPage,
  "stories/*/languages": makeLanguagesPage,
  compare: makeComparePage,
  "compare/*": makeCompareStoryPage,
  assets: makeAssetsPage,
  "assets/*": makeAssetPage,
  usage: makeUsagePage,
  problems: makeProblemsPage,
  runs: makeRunsPage,
};

/** What makes the page at a path; undefined where there is none. */
export function makerOf(path: readonly string[]): PageMaker | undefined {
  const pattern = path.map((segment, place) => (place === 1 ? "*" : segment)).join("/");
  return Object.hasOwn(pages, pattern) ? pages[pattern] : undefined;
}

import { assetPage } from "./pages/asset-page.js";
import { assetsPage } from "./pages/assets-page.js";
import { comparePage } from "./pages/compare-page.js";
import { compareStoryPage } from "./pages/compare-story-page.js";
import { languageCountsPage } from "./pages/language-counts-page.js";
import { languagesPage } from "./pages/languages-page.js";
import { problemsPage } from "./pages/problems-page.js";
import { runsPage } from "./pages/runs-page.js";
import { searchPage } from "./pages/search-page.js";
import { statePage } from "./pages/state-page.js";
import { storiesPage } from "./pages/stories-page.js";
import { storyPage } from "./pages/story-page.js";
import { usagePage } from "./pages/usage-page.js";
import type { PageMaker } from "./parts/page.js";

const pages: readonly PageMaker[] = [
  ...[statePage, storiesPage, searchPage, storyPage, languagesPage, languageCountsPage, comparePage, compareStoryPage],
  ...[assetsPage, assetPage, usagePage, problemsPage, runsPage],
];

export function makerOf(path: readonly string[]): PageMaker | undefined {
  const pattern = path.map((segment, place) => (place === 1 ? "*" : segment)).join("/");
  return pages.find((page) => page.path === (pattern === "index" ? "" : pattern));
}

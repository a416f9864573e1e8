import { blok, type DemoFolder, type DemoStory } from "../demo-story.js";
import { pagesForReaders } from "./pages-for-readers.js";
import { pagesForTheTrade } from "./pages-for-the-trade.js";

export const pageFolders: readonly DemoFolder[] = [{ path: "pages", name: "Pages", date: "2024-05-13", position: 80 }];

/** Pages made of blocks, in the shapes that many sites have: heroes, prices, questions, galleries, tables. */
export const pageStories: readonly DemoStory[] = [
  {
    path: "pages",
    name: "Pages",
    startpage: true,
    date: "2024-05-13",
    content: blok("page", { title: "More to read about us", intro: "What did not fit anywhere else.", body: [] }),
  },
  ...pagesForReaders,
  ...pagesForTheTrade,
];

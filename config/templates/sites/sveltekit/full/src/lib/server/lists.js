import { snapshot } from "offprint:content";
import { listUrl } from "../site";

/** What the list shows: the stories whose slug starts so; "" for all. */
const folder = "";
const storiesPerPage = 20;

/** The pages of the list, in each language. */
export async function lists() {
  const pages = [];
  for (const language of snapshot.languages) {
    const all = await snapshot.references({ startsWith: folder, language, pages: true });
    const last = Math.max(1, Math.ceil(all.length / storiesPerPage));
    for (let number = 1; number <= last; number++) {
      const stories = all.slice((number - 1) * storiesPerPage, number * storiesPerPage);
      pages.push({ url: listUrl(language, number), language, number, last, stories });
    }
  }
  return pages;
}

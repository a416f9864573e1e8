import { openSnapshot } from "offprint";

/** What the list shows: the stories whose slug starts so; "" for all. */
const folder = "";
const storiesPerPage = 20;

/** The pages of the list: `/stories`, `/stories/2`, `/de/stories`. */
export default {
  async paths() {
    const snapshot = await openSnapshot();
    const pages = [];
    for (const language of snapshot.languages) {
      const all = await snapshot.references({ startsWith: folder, language, pages: true });
      const last = Math.max(1, Math.ceil(all.length / storiesPerPage));
      const address = `${language === "default" ? "" : `${language}/`}stories`;
      const at = (number: number) => (number === 1 ? address : `${address}/${number}`);
      for (let number = 1; number <= last; number++) {
        const shown = all.slice((number - 1) * storiesPerPage, number * storiesPerPage);
        const stories = shown.map(({ uuid, name, url }) => ({ uuid, name, url }));
        const previous = number > 1 ? `/${at(number - 1)}` : undefined;
        const next = number < last ? `/${at(number + 1)}` : undefined;
        pages.push({ params: { list: at(number), number, last, stories, previous, next } });
      }
    }
    await snapshot.close();
    return pages;
  },
};

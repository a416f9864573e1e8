import { openSnapshot } from "offprint";

/** The second and later pages of the journal in each language, under `<address of the journal>/page/<number>`. */
export default {
  async paths() {
    await using snapshot = await openSnapshot();
    const journal = await snapshot.story("journal/");
    const pages = [];
    for (const language of snapshot.languages) {
      const story = journal && (await snapshot.story({ uuid: journal.uuid }, { language }));
      if (story === undefined) continue;
      const { title, intro, body } = story.content as unknown as { title: string; intro: string; body: { component: string; count?: string }[] };
      const size = Number(body.find(({ component }) => component === "latest_articles")?.count ?? 12);
      const articles = await snapshot.references({ component: "article", language });
      for (let page = 2; (page - 1) * size < articles.length; page++) {
        const params = { journal: `${story.url.slice(1)}/page/${page}`, title, intro, url: story.url, page, size };
        pages.push({ params });
      }
    }
    return pages;
  },
};

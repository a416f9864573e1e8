import { listStories, namedStory } from "../data/story-list.js";
import { storyLink } from "../parts/lists.js";
import { editionOf, page, storyAddress } from "../parts/page.js";

const shown = 10;

/** `/search`: the first stories with a text in name or slug, for search as you type. */
export const searchPage = page({
  path: "search",
  section: "stories",
  async load({ query, view, manifest, text }) {
    const edition = editionOf(manifest, query);
    const search = text("q").trim();
    const all = { edition, folder: "", type: "", tag: "", inContent: false, lacks: "", sort: "slug" as const };
    const { rows } = search === "" ? { rows: [] } : await listStories(view, { ...all, search });
    const stories = view.stories(edition.name);
    const found = Array.from({ length: Math.min(shown, rows.length) }, (_, place) => {
      const story = namedStory(stories, rows[place]!);
      return { ...story, href: storyAddress(story.uuid) };
    });
    return { title: `Search for ${search}`, data: { search, total: rows.length, found } };
  },
  view: ({ data: { found } }) => (
    <>
      <h1>Search</h1>
      <ul>
        {found.map((story) => (
          <li>{storyLink(story, story.href)}</li>
        ))}
      </ul>
    </>
  ),
});

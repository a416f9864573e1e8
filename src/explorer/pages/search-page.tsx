import { editionOf } from "../edition-choice.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { type Page, type PageRequest, storyAddress } from "../page.js";
import { listedStory, listStories } from "../story-list.js";

const shown = 10;

/** `/search`: the first stories with a text in name or slug, for a search as one types. */
export async function makeSearchPage({ source }: ExplorerSpace, request: PageRequest): Promise<Page> {
  const view = source.view();
  const edition = editionOf(view.reader.manifest, request);
  const search = (request.query.get("q") ?? "").trim().slice(0, 300);
  const all = { edition, folder: "", type: "", tag: "", inContent: false, lacks: "", sort: "slug" as const };
  const { rows } = search === "" ? { rows: [] } : await listStories(view, { ...all, search });
  const stories = view.stories(edition.name);
  const found = Array.from({ length: Math.min(shown, rows.length) }, (_, place) => {
    const { uuid, name, full_slug } = listedStory(stories, rows[place]!);
    return { uuid, name, full_slug, href: storyAddress(uuid) };
  });
  return {
    title: `Search for ${search}`,
    section: "stories",
    data: { search, total: rows.length, found },
    view: () => (
      <>
        <h1>Search</h1>
        <ul>
          {found.map(({ href, name, full_slug }) => (
            <li>
              <a href={href} dir="auto">
                {name || full_slug}
              </a>
            </li>
          ))}
        </ul>
      </>
    ),
  };
}

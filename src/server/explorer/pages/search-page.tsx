import { plural } from "../../../lib/quantity-text.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { keptManifests, keptView } from "../data/generations.js";
import { runQuery, type SearchResult } from "../data/run-query.js";
import { listStories, namedStory } from "../data/story-list.js";
import { Generation, storyLink } from "../parts/lists.js";
import { type Asked, address, editionOf, generationIn, page, shortDate, storyAddress } from "../parts/page.js";

const shown = 10;
/** Longest parameters, in characters. */
const mostParameters = 8000;

/** `/search`: the first stories with a text in name or slug, or those that the replica answers to parameters. */
export const searchPage = page({
  path: "search",
  section: "stories",
  async load(asked) {
    const { query, manifest, text, format, space } = asked;
    const search = text("q").trim();
    const parameters = (query.get("parameters") ?? "").slice(0, mostParameters).trim();
    const generation = generationIn(asked, "generation") ?? manifest.generation;
    const isQuery = query.has("parameters") || query.has("generation");
    const { place, ...result }: SearchResult = isQuery
      ? await queried(asked, generation, parameters, search)
      : await named(asked, search);
    const where = { ...place, generation: generation === manifest.generation ? undefined : generation };
    const found = result.found.map((story) => ({ ...story, href: storyAddress(story.uuid, where) }));
    // Search as you type needs no choice of generations.
    const kept = format === "json" ? [] : await keptManifests(space.store);
    const data = { search, ...(isQuery ? { generation, parameters } : {}), ...result, found };
    const status = result.error === undefined ? undefined : 422;
    return { title: `Search for ${search || parameters}`, data, kept, generation, parameters, status };
  },
  view: ({ data, ...form }) => (
    <>
      <h1>Search</h1>
      <SearchForm search={data.search} {...form} />
      {data.error === undefined ? null : (
        <p class="problem" role="alert" dir="auto">
          {data.error}
        </p>
      )}
      {data.url === undefined ? null : (
        <p>
          Send <code>{data.url}</code>
        </p>
      )}
      {data.note === undefined ? null : <p class="notice">{data.note}</p>}
      {data.total === 0 && data.error !== undefined ? null : (
        <p>
          <b>{plural(data.total, "story", "stories")}</b>
          {data.found.length < data.total ? `, ${data.found.length} shown` : ""}
        </p>
      )}
      <ul>
        {data.found.map((story) => (
          <li>
            {storyLink(story, story.href)} <code dir="auto">{story.full_slug}</code>
          </li>
        ))}
      </ul>
    </>
  ),
});

async function named({ query, view, manifest }: Asked, search: string): Promise<SearchResult> {
  const edition = editionOf(manifest, query);
  const { rows } = search === "" ? { rows: [] } : await listStories(view, { edition, search });
  const stories = view.stories(edition.name);
  const found = Array.from({ length: Math.min(shown, rows.length) }, (_, place) => namedStory(stories, rows[place]!));
  return { total: rows.length, found };
}

async function queried({ space }: Asked, generation: number, parameters: string, search: string) {
  if (parameters === "" && search === "") return { total: 0, found: [] };
  return runQuery(await keptView(space, generation), parameters, search);
}

type FormProperties = Record<"search" | "parameters", string> & { generation: number; kept: readonly Manifest[] };

function SearchForm({ search, parameters, generation, kept }: FormProperties) {
  return (
    <form action={address("search")} class="line">
      <label for="text">Text in names, slugs and content</label>
      <input id="text" name="q" type="search" value={search} maxlength={300} autocomplete="off" />
      <label for="parameters">Parameters of the API</label>
      <input
        id="parameters"
        name="parameters"
        value={parameters}
        size={60}
        maxlength={mostParameters}
        placeholder="content_type=article&filter_query[title][like]=*lamp*"
        autocomplete="off"
        spellcheck={false}
      />
      <label for="generation">Generation</label>
      <Generation
        name="generation"
        offered={kept.map((one) => [one.generation, `${one.generation} · ${shortDate(one.committedAt)}`])}
        selected={generation}
      />
      <button type="submit">Search</button>
    </form>
  );
}

import { plural } from "../../../lib/quantity-text.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { keptManifests, keptView } from "../data/generations.js";
import { runQuery } from "../data/run-query.js";
import { listStories, type NamedStory, namedStory } from "../data/story-list.js";
import { storyLink } from "../parts/lists.js";
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
    const result = isQuery ? await queried(asked, generation, parameters, search) : await named(asked, search);
    // Search as you type needs no choice of generations.
    const kept = format === "json" ? [] : await keptManifests(space.store);
    const data = { search, ...(isQuery ? { generation, parameters } : {}), ...result };
    return {
      title: `Search for ${search || parameters}`,
      data,
      kept,
      generation,
      parameters,
      status: result.error === undefined ? undefined : 422,
    };
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

interface Result {
  total: number;
  found: (NamedStory & { href: string })[];
  url?: string;
  error?: string;
  note?: string;
}

async function named({ query, view, manifest }: Asked, search: string): Promise<Result> {
  const edition = editionOf(manifest, query);
  const { rows } = search === "" ? { rows: [] } : await listStories(view, { edition, search });
  const stories = view.stories(edition.name);
  const found = Array.from({ length: Math.min(shown, rows.length) }, (_, place) => namedStory(stories, rows[place]!));
  return { total: rows.length, found: found.map((story) => ({ ...story, href: storyAddress(story.uuid) })) };
}

async function queried({ space, manifest }: Asked, generation: number, parameters: string, search: string) {
  const result: Result = { total: 0, found: [] };
  if (parameters === "" && search === "") return result;
  const { stories, edition, url, ...rest } = await runQuery(await keptView(space, generation), parameters, search);
  const { language, version } = edition ?? {};
  const place = { language, version, ...(generation === manifest.generation ? {} : { generation }) };
  return {
    ...result,
    ...rest,
    ...(url === undefined ? {} : { url: `${url}${url.endsWith("?") ? "" : "&"}token=<token>` }),
    ...(edition === undefined || edition.name === edition.asked
      ? {}
      : { note: `The snapshot has no ${edition.asked}: answered from ${edition.name}.` }),
    found: stories.map((story) => ({ ...story, href: storyAddress(story.uuid, place) })),
  };
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
      <select id="generation" name="generation">
        {kept.map(({ generation: one, committedAt }) => (
          <option value={String(one)} {...(one === generation ? { selected: true } : {})}>
            {one} · {shortDate(committedAt)}
          </option>
        ))}
      </select>
      <button type="submit">Search</button>
    </form>
  );
}

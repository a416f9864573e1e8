import { termPaths } from "../../../contract/term-tree.js";
import { languageName } from "../../../lib/language-name.js";
import { plural } from "../../../lib/quantity-text.js";
import { languageStates } from "../data/language-states.js";
import { type ListedStory, listedStory, listStories } from "../data/story-list.js";
import { FacetBox, FacetList, Facets } from "../parts/facets.js";
import { Crumbs, Pager, Selected, storyCells, Table } from "../parts/lists.js";
import { type Asked, address, editionOf, languagesOf, page, type StoryParameters, shortDate } from "../parts/page.js";

const perPage = 50;
/** Number of languages in the list. Others can be given in the address. */
const offeredLanguages = 30;

/** `/stories`: browse by folder, type, language and tag, with counts, and search. */
export const storiesPage = page({
  path: "stories",
  load,
  view: (browser) => {
    const { data, selected, href } = browser;
    return (
      <>
        <h1>Stories</h1>
        <Crumbs
          folders={selected.folder === "" ? [] : selected.folder.split("/")}
          href={(folder) => href({ folder })}
          isHere
        />
        <div class="browse">
          <StoryFacets browser={browser} />
          <div>
            <Filters browser={browser} />
            {data.refused === undefined ? null : <p class="problem">{data.refused}</p>}
            <p>
              <b>{plural(data.total, "story", "stories")}</b>
              {" · "}
              {selected.sort === "newest" ? (
                <a href={href({ sort: "" })}>sort by slug</a>
              ) : (
                <a href={href({ sort: "newest" })}>sort by date</a>
              )}
              {selected.q !== "" && selected.in === "" ? (
                <>
                  {" · "}
                  <a href={href({ in: "content" })}>search the content too</a>
                </>
              ) : null}
              {" · "}
              <a href={address("search", { q: selected.q, generation: data.generation })}>search with parameters</a>
            </p>
            <StoryTable stories={data.stories} parameters={selected} />
            <Pager {...data} href={(to) => href({ page: to })} />
          </div>
        </div>
      </>
    );
  },
});

async function load({ query, view, manifest, text, page }: Asked) {
  const edition = editionOf(manifest, query);
  const selected = {
    language: edition.language === "default" ? "" : edition.language,
    version: text("version"),
    folder: text("folder").replace(/^\/+|\/+$/g, ""),
    type: text("type"),
    tag: text("tag"),
    term: text("term"),
    q: text("q").trim(),
    in: text("in") === "content" ? "content" : "",
    lacks: text("lacks"),
    state: languageStates.find((state) => state === text("state")) ?? "",
    sort: text("sort") === "newest" ? "newest" : "",
  };
  const { folder, type, tag, term, lacks, state, q: search } = selected;
  const { rows, ...facets } = await listStories(view, {
    ...{ edition, folder, type, tag, term, lacks, state, search },
    inContent: selected.in === "content",
    isNewestFirst: selected.sort === "newest",
  });
  const total = rows.length;
  const first = (page - 1) * perPage;
  const stories = Array.from({ length: Math.max(0, Math.min(perPage, total - first)) }, (_, place) => {
    return listedStory(view.stories(edition.name), rows[first + place]!);
  });
  const languages = languagesOf(manifest, edition);
  const { generation } = manifest;
  const listed = { generation, edition: edition.name, selected, total, page, perPage, stories, ...facets };
  return {
    title: folder === "" ? "Stories" : `Stories in ${folder}`,
    data: { ...listed, languages: languages.slice(0, 1000) },
    ...{ selected, facets, languages, termPaths: termPaths(view.reader.terms() ?? []) },
    href: (change: Readonly<Record<string, string | number>>) => address("stories", { ...selected, ...change }),
  };
}

type Browser = Awaited<ReturnType<typeof load>>;

function Filters({ browser: { selected, href, termPaths: paths } }: { browser: Browser }) {
  const names: readonly (readonly [keyof Browser["selected"], string])[] = [
    ["q", selected.in === "content" ? "Found in the content" : "Found in name or slug"],
    ["type", "Type"],
    ["tag", "Tag"],
    ["term", "Term"],
    ["lacks", "Not translated to"],
    ["state", "State"],
    ["language", "Language"],
    ["version", "Version"],
  ];
  const shown = (name: keyof Browser["selected"]) => {
    const value = selected[name];
    if (name === "term") return paths.get(value) ?? value;
    return value !== "" && (name === "lacks" || name === "language") ? languageName(value) : value;
  };
  return <Selected values={names.map(([name, text]) => [text, shown(name), href({ [name]: "" })])} />;
}

function StoryFacets({ browser: { selected, href, facets, languages, termPaths: paths } }: { browser: Browser }) {
  const others = languages.filter((language) => language !== "default");
  const folder = selected.folder === "" ? "" : `${selected.folder}/`;
  const withLanguage = (language: string) =>
    href({ language: language === "default" ? "" : language, lacks: "", state: "" });
  return (
    <Facets>
      <FacetList title="Folders" facets={facets.folders} href={(value) => href({ folder: folder + value })} />
      <FacetList title="Types" facets={facets.types} href={(type) => href({ type })} current={selected.type} />
      <FacetList title="Tags" facets={facets.tags} href={(tag) => href({ tag })} current={selected.tag} />
      <FacetList
        title="Terms"
        facets={facets.terms}
        href={(term) => href({ term })}
        current={selected.term}
        name={(id) => paths.get(id) ?? id}
      />
      {others.length === 0 ? null : (
        <FacetBox
          title="Languages"
          links={[
            ...languages
              .slice(0, offeredLanguages)
              .map(
                (code) => [languageName(code), withLanguage(code), code === (selected.language || "default")] as const,
              ),
            ["counted by state", address("languages"), false],
          ]}
        />
      )}
      {others.length === 0 || selected.language !== "" ? null : (
        <FacetBox
          title="Not translated to"
          links={others
            .slice(0, offeredLanguages)
            .map((lacks) => [languageName(lacks), href({ lacks, state: "" }), lacks === selected.lacks])}
        />
      )}
    </Facets>
  );
}

type StoriesProperties = { stories: readonly ListedStory[]; parameters: StoryParameters };

function StoryTable({ stories, parameters }: StoriesProperties) {
  if (stories.length === 0) return <p>No stories match.</p>;
  return (
    <Table
      caption="Stories"
      head={["Name", "Slug", "Type", "Tags", "Updated (UTC)"]}
      rows={stories.map(({ type, tags, updated_at, published_at, ...story }) => [
        ...storyCells(story, parameters),
        <span dir="auto">{type}</span>,
        <span dir="auto">{tags.join(", ")}</span>,
        shortDate(updated_at ?? published_at),
      ])}
    />
  );
}

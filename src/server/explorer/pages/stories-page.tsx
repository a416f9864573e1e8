import { plural } from "../../../lib/quantity-text.js";
import { type Facet, type ListedStory, listedStory, listStories } from "../data/story-list.js";
import { FacetBox, FacetList, Pager, Selected, storyLink, Table } from "../parts/lists.js";
import { address, editionOf, languagesOf, page, type StoryParameters, storyAddress } from "../parts/page.js";
import { languageName, shortDate } from "../parts/shown-text.js";

const perPage = 50;
/** Number of languages in the list. Others can be given in the address. */
const offeredLanguages = 30;

/** `/stories`: browse by folder, type, language and tag, with counts, and search. */
export const storiesPage = page({
  path: "stories",
  section: "stories",
  async load({ query, view, manifest, text, page }) {
    const edition = editionOf(manifest, query);
    const selected = {
      language: edition.language === "default" ? "" : edition.language,
      version: text("version"),
      folder: text("folder").replace(/^\/+|\/+$/g, ""),
      type: text("type"),
      tag: text("tag"),
      q: text("q").trim(),
      in: text("in") === "content" ? "content" : "",
      lacks: text("lacks"),
      sort: text("sort") === "newest" ? "newest" : "",
    };
    const { folder, type, tag, lacks, q: search } = selected;
    const { rows, ...facets } = await listStories(view, {
      ...{ edition, folder, type, tag, lacks, search },
      inContent: selected.in === "content",
      sort: selected.sort === "newest" ? "newest" : "slug",
    });
    const total = rows.length;
    const first = (page - 1) * perPage;
    const stories = Array.from({ length: Math.max(0, Math.min(perPage, total - first)) }, (_, place) => {
      return listedStory(view.stories(edition.name), rows[first + place]!);
    });
    const languages = languagesOf(manifest, edition);
    const listed = { edition: edition.name, selected, total, page, perPage, stories, ...facets };
    return {
      title: folder === "" ? "Stories" : `Stories in ${folder}`,
      data: { ...listed, languages: languages.slice(0, 1000) },
      ...{ selected, facets, languages },
      href: (change: Change) => address("stories", { ...selected, ...change }),
    };
  },
  view: (browser) => {
    const { data, selected, href } = browser;
    return (
      <>
        <h1>Stories</h1>
        <Breadcrumb browser={browser} />
        <div class="browse">
          <Facets browser={browser} />
          <div>
            <Filters browser={browser} />
            {data.refused === undefined ? null : <p class="problem">{data.refused}</p>}
            <p>
              <b>{plural(data.total, "story", "stories")}</b>
              {" · "}
              {selected.sort === "newest" ? (
                <a href={href({ sort: "" })}>sort by slug</a>
              ) : (
                <a href={href({ sort: "newest" })}>newest first</a>
              )}
              {selected.q !== "" && selected.in === "" ? (
                <>
                  {" · "}
                  <a href={href({ in: "content" })}>search the content too</a>
                </>
              ) : null}
            </p>
            <StoryTable stories={data.stories} parameters={selected} />
            <Pager {...data} href={(to) => href({ page: to })} />
          </div>
        </div>
      </>
    );
  },
});

type Change = Readonly<Record<string, string | number>>;

interface Browser {
  selected: Readonly<
    Record<"language" | "version" | "folder" | "type" | "tag" | "q" | "in" | "lacks" | "sort", string>
  >;
  href(change: Change): string;
  facets: { types: Facet[]; tags: Facet[]; folders: Facet[] };
  languages: readonly string[];
}

function Breadcrumb({ browser: { selected, href } }: { browser: Browser }) {
  const segments = selected.folder === "" ? [] : selected.folder.split("/");
  return (
    <nav class="crumbs" aria-label="Folders">
      <ol>
        <li>{segments.length === 0 ? <b>All folders</b> : <a href={href({ folder: "" })}>All folders</a>}</li>
        {segments.map((segment, place) => (
          <li>
            {place === segments.length - 1 ? (
              <b dir="auto">{segment}</b>
            ) : (
              <a href={href({ folder: segments.slice(0, place + 1).join("/") })} dir="auto">
                {segment}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Filters({ browser: { selected, href } }: { browser: Browser }) {
  const names: readonly (readonly [keyof Browser["selected"], string])[] = [
    ["q", selected.in === "content" ? "Found in the content" : "Found in name or slug"],
    ["type", "Type"],
    ["tag", "Tag"],
    ["lacks", "Not translated to"],
    ["language", "Language"],
    ["version", "Version"],
  ];
  return <Selected values={names.map(([name, text]) => [text, selected[name], href({ [name]: "" })])} />;
}

function Facets({ browser: { selected, href, facets, languages } }: { browser: Browser }) {
  const others = languages.filter((language) => language !== "default");
  const folder = selected.folder === "" ? "" : `${selected.folder}/`;
  const withLanguage = (language: string) => href({ language: language === "default" ? "" : language, lacks: "" });
  return (
    <aside class="facets" aria-label="Filters">
      <FacetList title="Folders" facets={facets.folders} href={(value) => href({ folder: folder + value })} />
      <FacetList title="Types" facets={facets.types} href={(type) => href({ type })} current={selected.type} />
      <FacetList title="Tags" facets={facets.tags} href={(tag) => href({ tag })} current={selected.tag} />
      {others.length === 0 ? null : (
        <LanguageBox
          title="Languages"
          languages={languages}
          name={languageName}
          href={withLanguage}
          current={selected.language || "default"}
        />
      )}
      {others.length === 0 || selected.language !== "" ? null : (
        <LanguageBox
          title="Not translated to"
          languages={others}
          name={String}
          href={(lacks) => href({ lacks })}
          current={selected.lacks}
        />
      )}
    </aside>
  );
}

interface LanguageProperties {
  title: string;
  languages: readonly string[];
  name(language: string): string;
  href(language: string): string;
  current: string;
}

function LanguageBox({ title, languages, name, href, current }: LanguageProperties) {
  return (
    <FacetBox title={title}>
      <ul>
        {languages.slice(0, offeredLanguages).map((language) => (
          <li>
            <a href={href(language)} {...(language === current ? { "aria-current": "true" } : {})}>
              {name(language)}
            </a>
          </li>
        ))}
      </ul>
    </FacetBox>
  );
}

function StoryTable({
  stories,
  parameters: { language, version },
}: {
  stories: readonly ListedStory[];
  parameters: StoryParameters;
}) {
  if (stories.length === 0) return <p>No stories match.</p>;
  return (
    <Table
      caption="Stories"
      head={["Name", "Slug", "Type", "Tags", "Updated (UTC)"]}
      rows={stories.map(({ type, tags, updated_at, published_at, ...story }) => [
        storyLink(story, storyAddress(story.uuid, { language, version })),
        <code dir="auto">{story.full_slug}</code>,
        <span dir="auto">{type}</span>,
        <span dir="auto">{tags.join(", ")}</span>,
        shortDate(updated_at ?? published_at),
      ])}
    />
  );
}

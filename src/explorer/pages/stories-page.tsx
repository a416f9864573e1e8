import { editionOf, languagesOf } from "../edition-choice.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { FacetBox, FacetList } from "../facets.js";
import { address, type Page, type PageRequest, pageNumber, storyAddress } from "../page.js";
import { Pager, Table } from "../parts.js";
import { type Facet, type ListedStory, listedStory, listStories } from "../story-list.js";
import { languageName, plural, shortDate } from "../text.js";

const perPage = 50;
/** Languages that are offered one by one; any other can be named in the address. */
const offeredLanguages = 30;

/** `/stories`: browse by folder, type, language and tag, with counts, and search. */
export async function makeStoriesPage({ source }: ExplorerSpace, request: PageRequest): Promise<Page> {
  const view = source.view();
  const { manifest } = view.reader;
  const edition = editionOf(manifest, request);
  const asked = (name: string) => (request.query.get(name) ?? "").slice(0, 300);
  const selected = {
    language: edition.language === "default" ? "" : edition.language,
    version: asked("version"),
    folder: asked("folder").replace(/^\/+|\/+$/g, ""),
    type: asked("type"),
    tag: asked("tag"),
    q: asked("q").trim(),
    in: asked("in") === "content" ? "content" : "",
    lacks: asked("lacks"),
    sort: asked("sort") === "newest" ? "newest" : "",
  };
  const listing = await listStories(view, {
    edition,
    folder: selected.folder,
    type: selected.type,
    tag: selected.tag,
    search: selected.q,
    inContent: selected.in === "content",
    lacks: selected.lacks,
    sort: selected.sort === "newest" ? "newest" : "slug",
  });
  const page = pageNumber(request);
  const rows = view.stories(edition.name);
  const total = listing.rows.length;
  const shown = Array.from({ length: Math.max(0, Math.min(perPage, total - (page - 1) * perPage)) }, (_, place) => {
    return listedStory(rows, listing.rows[(page - 1) * perPage + place]!);
  });
  const { rows: _, ...facets } = listing;
  const languages = languagesOf(manifest, edition);
  const href = (change: Readonly<Record<string, string | number>>) => address("stories", { ...selected, ...change });
  const browser: Browser = { selected, href, facets, languages, total };
  return {
    title: selected.folder === "" ? "Stories" : `Stories in ${selected.folder}`,
    section: "stories",
    data: {
      edition: edition.name,
      selected,
      total,
      page,
      perPage,
      stories: shown,
      ...facets,
      languages: languages.slice(0, 1000),
    },
    view: () => (
      <>
        <h1>Stories</h1>
        <Breadcrumb browser={browser} />
        <div class="browse">
          <Facets browser={browser} />
          <div>
            <Filters browser={browser} />
            {listing.refused === undefined ? null : <p class="problem">{listing.refused}</p>}
            <p>
              <b>{plural(total, "story", "stories")}</b>
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
            <StoryTable stories={shown} language={edition.language} version={selected.version} />
            <Pager page={page} perPage={perPage} total={total} href={(to) => href({ page: to })} />
          </div>
        </div>
      </>
    ),
  };
}

interface Browser {
  selected: Readonly<
    Record<"language" | "version" | "folder" | "type" | "tag" | "q" | "in" | "lacks" | "sort", string>
  >;
  href(change: Readonly<Record<string, string | number>>): string;
  facets: { types: Facet[]; tags: Facet[]; folders: Facet[] };
  languages: readonly string[];
  total: number;
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

/** What is selected, each with a link that takes it away. */
function Filters({ browser: { selected, href } }: { browser: Browser }) {
  const names: readonly (readonly [keyof Browser["selected"], string])[] = [
    ["q", selected.in === "content" ? "Found in the content" : "Found in name or slug"],
    ["type", "Type"],
    ["tag", "Tag"],
    ["lacks", "Not translated to"],
    ["language", "Language"],
    ["version", "Version"],
  ];
  const active = names.filter(([name]) => selected[name] !== "");
  if (active.length === 0) return null;
  return (
    <ul class="chips" aria-label="What is selected">
      {active.map(([name, text]) => (
        <li>
          {text}: <b dir="auto">{selected[name]}</b>{" "}
          <a href={href({ [name]: "" })} aria-label={`Remove ${text} ${selected[name]}`}>
            ×
          </a>
        </li>
      ))}
    </ul>
  );
}

function Facets({ browser }: { browser: Browser }) {
  const { selected, href, facets, languages } = browser;
  const others = languages.filter((language) => language !== "default");
  const folder = selected.folder === "" ? "" : `${selected.folder}/`;
  return (
    <aside class="facets" aria-label="Narrow the list">
      <FacetList
        title="Folders"
        facets={facets.folders}
        href={(value) => href({ folder: folder + value })}
        current=""
      />
      <FacetList title="Types" facets={facets.types} href={(type) => href({ type })} current={selected.type} />
      <FacetList title="Tags" facets={facets.tags} href={(tag) => href({ tag })} current={selected.tag} />
      {others.length === 0 ? null : (
        <FacetBox title="Languages">
          <ul>
            {languages.slice(0, offeredLanguages).map((language) => (
              <li>
                <a
                  href={href({ language: language === "default" ? "" : language, lacks: "" })}
                  {...((selected.language || "default") === language ? { "aria-current": "true" } : {})}
                >
                  {languageName(language)}
                </a>
              </li>
            ))}
          </ul>
        </FacetBox>
      )}
      {others.length === 0 || selected.language !== "" ? null : (
        <FacetBox title="Not translated to">
          <ul>
            {others.slice(0, offeredLanguages).map((language) => (
              <li>
                <a
                  href={href({ lacks: language })}
                  {...(selected.lacks === language ? { "aria-current": "true" } : {})}
                >
                  {language}
                </a>
              </li>
            ))}
          </ul>
        </FacetBox>
      )}
    </aside>
  );
}

function StoryTable({
  stories,
  language,
  version,
}: {
  stories: readonly ListedStory[];
  language: string;
  version: string;
}) {
  if (stories.length === 0) return <p>No story fits.</p>;
  const parameters = { language: language === "default" ? "" : language, version };
  return (
    <Table
      caption="Stories"
      head={["Name", "Slug", "Type", "Tags", "Updated (UTC)"]}
      rows={stories.map(({ uuid, name, full_slug, type, tags, updated_at, published_at }) => [
        <a href={storyAddress(uuid, parameters)} dir="auto">
          {name || full_slug || uuid}
        </a>,
        <code dir="auto">{full_slug}</code>,
        <span dir="auto">{type}</span>,
        <span dir="auto">{tags.join(", ")}</span>,
        shortDate(updated_at ?? published_at),
      ])}
    />
  );
}

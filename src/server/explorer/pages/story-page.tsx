import type { Child } from "hono/jsx";
import type { Finding } from "../../../content/check/finding.js";
import { editorAddress, pageAddress } from "../../../content/names/editor-address.js";
import { storyAddress as urlOfStory } from "../../../content/render/site-pages.js";
import { termPaths } from "../../../contract/term-tree.js";
import { OffprintError } from "../../../lib/errors.js";
import { grouped, plural } from "../../../lib/quantity-text.js";
import { isObject } from "../../../lib/shape.js";
import { readManifest } from "../../../snapshot/current-manifest.js";
import type { EditionEntry } from "../../../snapshot/manifest.js";
import { storedStory } from "../../../snapshot/reader/stored-story.js";
import { knownFindings } from "../data/findings.js";
import { type StoryState, storyHistory } from "../data/generations.js";
import { namedStories, namingStories } from "../data/related-stories.js";
import { contentContext } from "../parts/content-context.js";
import { BlockFields } from "../parts/field-view.js";
import { FindingList } from "../parts/finding-list.js";
import { StoryHistory } from "../parts/generation-tables.js";
import { Crumbs, Facts, OutsideLinks, RelatedTable, textLink } from "../parts/lists.js";
import {
  type Asked,
  address,
  cut,
  editionOf,
  generationIn,
  page,
  type StoryParameters,
  shortDate,
  storyAddress,
} from "../parts/page.js";
import { Languages, type StoryLanguages, storyLanguages } from "../parts/story-languages.js";

/** Shown length of the raw record, in characters; `.json` has all of it. */
const shownRaw = 100_000;

/** `/stories/<uuid>`: one story; with `generation`, an older state of it. */
export const storyPage = page({
  path: "stories/*",
  async load(asked) {
    const { space, manifest: current, id: uuid, query } = asked;
    const generation = generationIn(asked, "generation") ?? current.generation;
    const manifest = generation === current.generation ? current : await readManifest(space.store, generation);
    const edition = editionOf(manifest, query);
    const parameters = { language: edition.language, version: query.get("version") ?? "" };
    const line = await storedStory(space.store, manifest, edition.name, uuid);
    const history = await storyHistory(space.store, edition.name, uuid);
    const { committedAt } = manifest;
    const about = { uuid, edition, generation, committedAt, current: current.generation, parameters, history };
    if (line !== undefined) {
      const languages = await storyLanguages(space.store, manifest, edition, uuid);
      return loadStory(asked, line, { ...about, languages });
    }
    if (history.every(({ change }) => change === "absent")) return undefined;
    const data = { error: `Generation ${generation} does not have it`, history };
    return { title: "Not in this generation", status: 404, data, ...about };
  },
  view: (loaded) => ("line" in loaded ? <Story {...loaded} /> : <LostStory {...loaded} />),
});

interface About {
  uuid: string;
  edition: EditionEntry;
  generation: number;
  committedAt: string;
  current: number;
  parameters: StoryParameters;
  history: readonly StoryState[];
}

async function loadStory({ space, view }: Asked, line: string, about: About & { languages: StoryLanguages }) {
  const { uuid, edition, generation, current, history, parameters } = about;
  const record: unknown = JSON.parse(line);
  const story = isObject(record) ? record : {};
  const text = (name: string) => (typeof story[name] === "string" ? story[name] : "");
  const id = typeof story.id === "number" ? story.id : text("id");
  const editor = editorAddress(space.config.editor.url, view.reader.manifest.space, {
    ...{ id, uuid, full_slug: text("full_slug"), language: edition.language },
  });
  const { site } = space.config;
  const isPublished = edition.version === "published" || text("published_at") !== "";
  const place = { full_slug: text("full_slug"), path: text("path") || null };
  const page = isPublished ? pageAddress(site.url, urlOfStory(space.config)(place, edition.language)) : undefined;
  const { names, lost } = await namedStories(space, view, edition.name, story.content);
  const namedBy = await namingStories(view, edition.name, uuid);
  const known = generation === current ? knownFindings(space) : undefined;
  const findings = known?.findings.filter(({ story: of }) => of?.uuid === uuid && of.edition === edition.name);
  return {
    title: text("name") || text("full_slug") || uuid,
    data: {
      ...{ generation, edition: edition.name, story, names, namedBy, history },
      ...(findings && { findings }),
      ...(editor && { editor }),
      ...(page && { page }),
    },
    ...about,
    ...{
      line,
      text,
      site: site.url,
      paths: termPaths(view.reader.terms() ?? []),
      context: await contentContext(view, edition.name, parameters, lost),
    },
  };
}

function Story({ title, data, line, text, site, context, paths, ...about }: Awaited<ReturnType<typeof loadStory>>) {
  const { uuid, edition, generation, committedAt, current, parameters, languages } = about;
  const { story, names, namedBy, findings, editor, page } = data;
  const isCurrent = generation === current;
  return (
    <>
      <Crumbs folders={foldersOf(text("full_slug"))} href={(folder) => address("stories", { folder })} />
      <h1 dir="auto">{title}</h1>
      {isCurrent ? null : (
        <p class="notice">
          This is the story in generation {generation}, committed {shortDate(committedAt)} (UTC). Names of other stories
          and references to it are from generation {current}.{" "}
          <a href={storyAddress(uuid, parameters)}>Show the current story</a>
        </p>
      )}
      <Facts
        facts={[
          ["Slug", <code dir="auto">{text("full_slug")}</code>],
          ["Type", typeLink(story.content)],
          ["Edition", edition.name],
          ["Published", shortDate(text("published_at") || null)],
          ["Updated", shortDate(text("updated_at") || null)],
          ["Tags", tagLinks(story.tag_list)],
          ...(Array.isArray(story.taxonomy_terms) ? [["Terms", termLinks(story.taxonomy_terms, paths)] as const] : []),
          ["Uuid", <code>{uuid}</code>],
        ]}
      />
      {(editor ?? page) === undefined ? null : (
        <p>
          <OutsideLinks editor={editor} page={page} />
        </p>
      )}
      <Languages {...{ uuid, languages, edition }} {...(isCurrent ? {} : { generation })} />
      <h2>Content</h2>
      {isObject(story.content) ? (
        <BlockFields block={story.content} context={context} />
      ) : (
        <p class="quiet">The space returned no content for this story.</p>
      )}
      <h2>Relations</h2>
      {[
        { caption: "Stories that this one refers to", stories: names, total: names.length },
        { caption: "Stories that refer to this one", ...namedBy },
      ].map(({ caption, stories, total }) =>
        stories.length === 0 ? (
          <p class="quiet">{caption}: none.</p>
        ) : (
          <RelatedTable
            caption={`${caption}: ${plural(total, "story", "stories")}${total > stories.length ? `, ${stories.length} shown` : ""}`}
            stories={stories}
            parameters={parameters}
          />
        ),
      )}
      {isCurrent ? <StoryProblems uuid={uuid} findings={findings} site={site} /> : null}
      <StoryHistory {...about} />
      <h2>Record</h2>
      <details>
        <summary>The raw record, {grouped(line.length)} characters</summary>
        <pre>{cut(pretty(story, line), shownRaw)}</pre>
      </details>
    </>
  );
}

function foldersOf(slug: string): string[] {
  return slug.replace(/\/+$/, "").split("/").slice(0, -1).slice(0, 50);
}

function LostStory({ title, ...about }: About & { title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p class="problem">
        {about.edition.name} of generation {about.generation} has no story <code>{about.uuid}</code>. Other generations
        have it.
      </p>
      <StoryHistory {...about} current={about.generation} />
    </>
  );
}

const shownFindings = 20;

type ProblemProperties = { uuid: string; findings: readonly Finding[] | undefined; site: string | undefined };

function StoryProblems({ uuid, findings, site }: ProblemProperties) {
  const all = address("problems", { story: uuid });
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Findings</h2>
      {findings === undefined ? (
        <p>
          <a href={all}>Check this story</a>
        </p>
      ) : findings.length === 0 ? (
        <p>No findings.</p>
      ) : (
        <>
          <FindingList findings={findings.slice(0, shownFindings)} site={site} />
          {findings.length > shownFindings ? <a href={all}>All {grouped(findings.length)} findings</a> : null}
        </>
      )}
    </section>
  );
}

function pretty(story: object, line: string): string {
  try {
    return JSON.stringify(story, undefined, 2);
  } catch {
    // Nested too deeply for JSON to print.
    return line;
  }
}

function typeLink(content: unknown): Child {
  const type = isObject(content) && typeof content.component === "string" ? content.component : "";
  return type === "" ? "–" : textLink(address("stories", { type }), type);
}

function tagLinks(found: unknown): Child {
  const tags = Array.isArray(found) ? found.filter((tag) => typeof tag === "string") : [];
  return tags.length === 0 ? "–" : tags.flatMap((tag) => [textLink(address("stories", { tag }), tag), " "]);
}

/** With the names from the taxonomy down; a term that the trees lack with its own. */
function termLinks(found: readonly unknown[], paths: ReadonlyMap<string, string>): Child {
  const links = found.flatMap((term) => {
    if (!isObject(term) || typeof term.id !== "string") return [];
    const own = typeof term.name === "string" ? term.name : term.id;
    return [textLink(address("stories", { term: term.id }), paths.get(term.id) ?? own), " "];
  });
  return links.length === 0 ? "–" : links;
}

export function secondLanguage(languages: readonly string[], asked: string): string {
  const language = asked || languages.find((one) => one !== "default") || "";
  if (languages.includes(language)) return language;
  throw new OffprintError("USAGE", `The snapshot has no language ${language || "besides the default one"}.`, {
    hint: `It has ${languages.slice(0, 20).join(", ")}.`,
  });
}

import type { StoryDifference } from "../../../content/diff/diff-story.js";
import { differenceMarkdown } from "../../../content/diff/difference-markdown.js";
import { compareStory } from "../../../content/diff/named-entries.js";
import { OffprintError } from "../../../lib/errors.js";
import { plural } from "../../../lib/quantity-text.js";
import { readManifest } from "../../../snapshot/current-manifest.js";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import { type ShownChange, shownChanges } from "../data/shown-changes.js";
import { Mark } from "../parts/compared-stories.js";
import { Differences } from "../parts/differences.js";
import { Generations, Table, textLink } from "../parts/lists.js";
import {
  address,
  compareAddress,
  comparedGenerations,
  editionOf,
  page,
  shortDate,
  storyAddress,
} from "../parts/page.js";

/** `/compare/<uuid>`: differences of one story between two generations, by field and word. */
export const compareStoryPage = page({
  path: "compare/*",
  async load(asked) {
    const { id: uuid, query } = asked;
    const { store } = asked.space;
    const { kept, from, to } = await comparedGenerations(asked);
    if (from === undefined) {
      throw new OffprintError("SNAPSHOT_MISSING", "There is no earlier generation to compare with.", {
        hint: "The next sync that finds a change creates another generation.",
      });
    }
    const [before, after] = [await readManifest(store, from), await readManifest(store, to)];
    const edition = editionIn(after, before, query);
    const { manifest: current } = asked;
    const inTwo = { before, after, current, edition: edition.name, uuid };
    const { change, fields, name, slug, entries } = await compareStory(store, inTwo);
    if (change === "absent") return undefined;
    const isSame = change === "same" || change === "spelling";
    const shown = isSame ? await shownChanges(asked.space, { from, to, edition, uuid }) : [];
    const about = { name, slug, edition: edition.name, from, to, change, entries };
    const heading = name || slug || uuid;
    return {
      title: `${heading}: ${from} → ${to}`,
      data: { uuid, ...about, fields, ...(isSame && { shown }) },
      isReport: true,
      markdown: () => differenceMarkdown(about),
      ...{ heading, shown, kept, before, after, parameters: { language: edition.language, version: edition.version } },
    };
  },
  view: ({ data: { uuid, edition, from, to, change, entries }, heading, shown, kept, before, after, parameters }) => (
    <>
      <h1 dir="auto">{heading}</h1>
      <p>
        Generation {from} ({shortDate(before.committedAt)}) → {to} ({shortDate(after.committedAt)}) · {edition} ·{" "}
        <a href={storyAddress(uuid, parameters)}>the story</a> ·{" "}
        <a href={address("compare", { from, to })}>all differences</a>
      </p>
      <Generations
        path={`compare/${encodeURIComponent(uuid)}`}
        offered={kept.map(({ generation }) => [generation, String(generation)])}
        {...{ parameters, from, to }}
      />
      <p>
        <b>{changeTexts[change]}</b>
        {change === "changed" ? ` in ${plural(entries.length, "place")}` : ""}
      </p>
      <Differences entries={entries} />
      <Shown shown={shown} parameters={{ ...parameters, from, to }} />
      <p>
        <a href={compareAddress(uuid, { ...parameters, from, to }, ".md")}>As Markdown</a> ·{" "}
        <a href={compareAddress(uuid, { ...parameters, from, to }, ".html")}>as one HTML file</a>
      </p>
    </>
  ),
});

const changeTexts: Readonly<Record<StoryDifference["change"], string>> = {
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  spelling: "The same values in another spelling or order",
  same: "Unchanged",
  absent: "In neither generation",
};

type ShownProperties = { shown: readonly ShownChange[]; parameters: Parameters<typeof compareAddress>[1] };

/** Why an unchanged page was made anew. */
function Shown({ shown, parameters }: ShownProperties) {
  if (shown.length === 0) return null;
  return (
    <>
      <p>Its page was made anew, because it shows other content that changed:</p>
      <Table
        caption="Changed content that this page shows"
        head={["Change", "What", "Slug"]}
        rows={shown.map(({ change, uuid, name, slug }) => [
          <Mark change={change} />,
          uuid === undefined ? name : textLink(compareAddress(uuid, parameters), name),
          <code dir="auto">{slug}</code>,
        ])}
      />
    </>
  );
}

function editionIn(after: Manifest, before: Manifest, query: URLSearchParams): EditionEntry {
  try {
    return editionOf(after, query);
  } catch {
    return editionOf(before, query);
  }
}

import { OffprintError } from "../../errors.js";
import { type chosenEdition, storedStory } from "../../reader/stored-story.js";
import { isObject } from "../../shape.js";
import { readManifest } from "../../snapshot/current-manifest.js";
import { diffStory, type StoryDifference } from "../../story-diff/diff-story.js";
import { differenceEntries } from "../../story-diff/difference-entries.js";
import { differenceMarkdown } from "../../story-diff/difference-markdown.js";
import { editionOf } from "../edition-choice.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { keptManifests } from "../generations.js";
import { address, generationIn, type Page, type PageRequest, storyAddress } from "../page.js";
import { Differences } from "../parts.js";
import { plural, shortDate } from "../text.js";

/** `/compare/<uuid>`: how one story differs between two generations, by field and word. */
export async function makeCompareStoryPage(
  { source, store }: ExplorerSpace,
  request: PageRequest,
): Promise<Page | undefined> {
  const current = source.view().reader.manifest;
  const uuid = request.path[1] ?? "";
  const kept = await keptManifests(store);
  const to = generationIn(request, "to") ?? current.generation;
  const from = generationIn(request, "from") ?? kept.find(({ generation }) => generation < to)?.generation;
  if (from === undefined) {
    throw new OffprintError("SNAPSHOT_MISSING", "There is no earlier generation to compare with.", {
      hint: "The next sync that finds something new makes another one.",
    });
  }
  const [before, after] = [await readManifest(store, from), await readManifest(store, to)];
  const edition = editionIn(after, before, request);
  const [old, now] = [await storedStory(store, before, edition, uuid), await storedStory(store, after, edition, uuid)];
  if (old === undefined && now === undefined) return undefined;
  const { change, fields } = diffStory(old, now);
  const entries = differenceEntries(fields);
  const record: unknown = JSON.parse(now ?? old ?? "{}");
  const text = (name: string) => (isObject(record) && typeof record[name] === "string" ? record[name] : "");
  const about = { name: text("name"), slug: text("full_slug"), edition, from, to, change, entries };
  const title = about.name || about.slug || uuid;
  const language = edition.slice(edition.indexOf("/") + 1);
  const parameters = { language, version: edition.slice(0, edition.indexOf("/")) };
  const path = `compare/${encodeURIComponent(uuid)}`;
  const view = () => (
    <>
      <h1 dir="auto">{title}</h1>
      <p>
        Generation {from} ({shortDate(before.committedAt)}) → {to} ({shortDate(after.committedAt)}) · {edition} ·{" "}
        <a href={storyAddress(uuid, parameters)}>the story</a> ·{" "}
        <a href={address("compare", { from, to })}>all that differs</a>
      </p>
      <form action={address(path)} class="line">
        {Object.entries(parameters).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {(["from", "to"] as const).map((name) => (
          <>
            <label for={name}>{name === "from" ? "From generation" : "to"}</label>
            <select id={name} name={name}>
              {kept.map(({ generation }) => (
                <option
                  value={String(generation)}
                  {...(generation === (name === "from" ? from : to) ? { selected: true } : {})}
                >
                  {generation}
                </option>
              ))}
            </select>
          </>
        ))}
        <button type="submit">Compare</button>
      </form>
      <p>
        <b>{changeTexts[change]}</b>
        {change === "changed" ? ` in ${plural(entries.length, "place")}` : ""}
      </p>
      <Differences entries={entries} />
      <p>
        <a href={address(`${path}.md`, { ...parameters, from, to })}>As Markdown</a> ·{" "}
        <a href={address(`${path}.html`, { ...parameters, from, to })}>as one HTML file</a>
      </p>
    </>
  );
  return {
    title: `${title}: ${from} → ${to}`,
    section: "compare",
    data: { uuid, ...about, fields },
    isReport: true,
    markdown: () => differenceMarkdown(about),
    view,
  };
}

const changeTexts: Readonly<Record<StoryDifference["change"], string>> = {
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  spelling: "The same values, spelled in another way or order",
  same: "The same",
  absent: "In neither of them",
};

type Manifest = Parameters<typeof chosenEdition>[0];

/** The edition of the later generation, or of the earlier one where it went. */
function editionIn(after: Manifest, before: Manifest, request: PageRequest): string {
  try {
    return editionOf(after, request).name;
  } catch {
    return editionOf(before, request).name;
  }
}

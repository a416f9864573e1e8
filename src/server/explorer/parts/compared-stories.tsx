import type { Child } from "hono/jsx";
import { grouped, plural } from "../../../lib/quantity-text.js";
import type { EntryChange } from "../../../snapshot/entry-changes.js";
import { kindOf } from "../../../snapshot/part-kinds.js";
import {
  type DifferenceCounts,
  editionText,
  type MovedFolder,
  movedText,
  type StoryDifference,
} from "../../../snapshot/story-differences.js";
import type { Comparison } from "../data/comparison.js";
import { More, storyLink, Table } from "./lists.js";
import { address } from "./page.js";

/** A row of the comparison. */
export type ListedDifference = MovedFolder | StoryDifference;

interface CountsProperties {
  isComplete: boolean;
  storyCounts: DifferenceCounts;
  parameters: { from: number; to: number; change: string; edition: string };
}

/** How many stories were added, changed, moved and removed, each with a link that lists only those. */
export function Counts({ isComplete, storyCounts, parameters }: CountsProperties) {
  const { added, changed, moved, removed } = storyCounts;
  const link = (change: string, text: string) => (
    <a
      href={address("compare", { ...parameters, change })}
      {...(parameters.change === change ? { "aria-current": "true" } : {})}
    >
      {text}
    </a>
  );
  const ofChanged = Math.min(moved, changed);
  return (
    <p>
      {isComplete ? "" : "Still comparing; so far: "}
      {link("added", `${grouped(added)} added`)} · {link("changed", `${grouped(changed)} changed`)}
      {ofChanged === 0 ? null : <> ({link("moved", `${grouped(ofChanged)} moved`)})</>} ·{" "}
      {link("removed", `${grouped(removed)} removed`)}
      {parameters.change === "" ? null : <> · {link("", "all")}</>}
    </p>
  );
}

interface StoriesProperties {
  from: number;
  to: number;
  stories: readonly ListedDifference[];
  /** By uuid. */
  names: ReadonlyMap<string, string>;
}

/** A row for each story, by slug; stories that moved with their folder are one row. */
export function StoriesTable({ from, to, stories, names }: StoriesProperties) {
  if (stories.length === 0) return <p>No stories differ.</p>;
  const link = ({ uuid, full_slug, editions }: StoryDifference, edition = editions[0] ?? "", text?: string) => {
    const [version = "", ...language] = edition.split("/");
    const name = text ?? names.get(uuid) ?? "";
    // The pages show no release: a link would lead to another edition.
    if (version.includes("@")) return <span dir="auto">{name || full_slug}</span>;
    const parameters = { from, to, language: language.join("/"), version };
    const href = address(`compare/${encodeURIComponent(uuid)}`, parameters);
    return storyLink({ uuid, full_slug, name }, href);
  };
  return (
    <Table
      caption="Stories that differ"
      head={["Change", "Story", "Slug", "Editions"]}
      rows={stories.map((one) =>
        "uuid" in one
          ? [
              <Mark change={one.kind} />,
              link(one),
              <code dir="auto">{movedText(one)}</code>,
              one.editions
                .slice(0, shownEditions)
                .flatMap((edition) => [link(one, edition, editionText(edition)), " "]),
            ]
          : [
              <Mark change="moved" />,
              <FolderStories folder={one} link={link} />,
              <code dir="auto">{folderText(one)}</code>,
              "",
            ],
      )}
    />
  );
}

const shownEditions = 30;
const shownInFolder = 200;

function FolderStories({ folder, link }: { folder: MovedFolder; link: (story: StoryDifference) => Child }) {
  const { stories } = folder;
  return (
    <details>
      <summary>{plural(stories.length, "story", "stories")} of a folder</summary>
      <ul>
        {stories.slice(0, shownInFolder).map((story) => (
          <li>{link(story)}</li>
        ))}
      </ul>
      <More count={stories.length - shownInFolder} />
    </details>
  );
}

export function Mark({ change }: { change: StoryDifference["kind"] }) {
  return <span class={`mark ${change}`}>{change}</span>;
}

export function folderText({ from, to }: MovedFolder): string {
  return `folder ${from} → ${to}`;
}

const shownEntries = 500;

/** Entries of datasources by name, with old and new value. */
export function EntriesTable({ entries }: { entries: readonly EntryChange[] }) {
  if (entries.length === 0) return null;
  const shown = entries.slice(0, shownEntries).flatMap(({ kind, datasource, name, values }) => {
    const plain = [{ dimension: "", before: null, after: null }];
    return (values.length === 0 ? plain : values).map((value) => ({ kind, datasource, name, ...value }));
  });
  return (
    <Table
      caption={`${plural(entries.length, "datasource entry", "datasource entries")}${entries.length > shownEntries ? `, ${shownEntries} shown` : ""}`}
      head={["Change", "Datasource", "Entry", "Before", "After"]}
      rows={shown.map(({ kind, datasource, name, dimension, before, after }) => [
        <Mark change={kind} />,
        <span dir="auto">{datasource}</span>,
        <span dir="auto">{dimension === "" ? name : `${name} (${dimension})`}</span>,
        <span dir="auto">{before ?? ""}</span>,
        <span dir="auto">{after ?? ""}</span>,
      ])}
    />
  );
}

/** Other records that differ, counted by part. Entries have a table of their own. */
export function PartsTable({ parts }: Pick<Comparison, "parts">) {
  const shown = parts.filter(({ part }) => kindOf(part) !== "entries");
  if (shown.length === 0) return null;
  return (
    <Table
      caption="Other records that differ"
      head={["Part", "Added", "Changed", "Removed"]}
      rows={shown.map(({ part, added, changed, removed }) => [
        part,
        grouped(added),
        grouped(changed),
        grouped(removed),
      ])}
    />
  );
}

import { type ComparedStory, differenceMarkdown, plainMarkdown } from "../../../content/diff/difference-markdown.js";
import { compareStory } from "../../../content/diff/named-entries.js";
import { plural } from "../../../lib/quantity-text.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import type { Store } from "../../../snapshot/store/store.js";
import {
  type DifferenceCounts,
  differenceCountsText,
  editionText,
  type MovedFolder,
  movedText,
  type StoryDifference,
} from "../../../snapshot/story-differences.js";
import type { Comparison } from "../data/comparison.js";
import { EntriesTable, folderText, Mark, PartsTable } from "./compared-stories.js";
import { Differences } from "./differences.js";
import { shortDate } from "./page.js";

const shownStories = 50;

/** A story, and how it differs in editions that differ alike. */
interface Detail extends Pick<ComparedStory, "name" | "change" | "entries"> {
  story: StoryDifference;
  editions: string;
}

interface ReportOptions {
  store: Store;
  title: string;
  found: Comparison;
  counts: DifferenceCounts;
  before: Manifest;
  after: Manifest;
  folders: readonly MovedFolder[];
  /** The stories outside of moved folders. */
  others: readonly StoryDifference[];
}

/** The differences between two generations, for a file of its own. */
export type ComparisonReport = Awaited<ReturnType<typeof comparisonReport>>;

/** Reads the first stories. Of a moved folder it lists only those that differ in more than their place. */
export async function comparisonReport({ store, others, ...report }: ReportOptions) {
  const moved = new Set(report.folders.flatMap(({ stories }) => stories));
  const stories = [...others, ...moved];
  const details: Detail[] = [];
  for (const story of stories.slice(0, shownStories)) {
    const found = await detailsOf(store, report, story);
    details.push(...found.filter(({ entries }) => !moved.has(story) || !entries.every(isPlace)));
  }
  return { ...report, details, more: Math.max(0, stories.length - shownStories) };
}

const placeFields: ReadonlySet<string> = new Set([
  "slug",
  "full_slug",
  "default_full_slug",
  "path",
  "translated_slugs",
]);

function isPlace({ path }: Detail["entries"][number]): boolean {
  return placeFields.has(path.split(" › ")[0]!);
}

async function detailsOf(
  store: Store,
  { before, after }: Pick<ComparisonReport, "before" | "after">,
  story: StoryDifference,
): Promise<Detail[]> {
  const found = new Map<string, Detail>();
  for (const edition of story.editions) {
    const { change, name, entries } = await compareStory(store, { before, after, edition, uuid: story.uuid });
    const key = JSON.stringify([change, entries]);
    const same = found.get(key);
    if (same === undefined) found.set(key, { story, name, editions: editionText(edition), change, entries });
    else same.editions += `, ${editionText(edition)}`;
  }
  return [...found.values()];
}

export function Report({ title, found, before, after, folders, details, more, ...report }: ComparisonReport) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        {summaryOf({ found, ...report })}. Committed {shortDate(before.committedAt)} and {shortDate(after.committedAt)}{" "}
        (UTC).
      </p>
      {folders.map((folder) => (
        <p>
          <Mark change="moved" /> <code dir="auto">{folderText(folder)}</code>, {storiesOf(folder)}
        </p>
      ))}
      {details.map(({ story, name, editions, change, entries }) => (
        <section>
          <h2 dir="auto">{name || story.full_slug}</h2>
          <p>
            <Mark change={story.kind} /> <code dir="auto">{movedText(story)}</code> · {editions}
          </p>
          {change === "changed" ? <Differences entries={entries} /> : null}
        </section>
      ))}
      {more === 0 ? null : <p class="quiet">And {plural(more, "more story", "more stories")}.</p>}
      <EntriesTable entries={found.entries} />
      <PartsTable parts={found.parts} />
    </>
  );
}

export function reportMarkdown({ title, before, after, folders, details, more, ...report }: ComparisonReport): string {
  const stories = details.map(({ story, name, editions, change, entries }) => {
    const [from, to] = [before.generation, after.generation];
    return differenceMarkdown({ name, slug: story.full_slug, edition: editions, from, to, change, entries });
  });
  const parts = report.found.parts.map(({ part, added, changed, removed }) => {
    return `- ${part.replace(/[^\w/ @-]/g, "?")}: ${added} added, ${changed} changed, ${removed} removed`;
  });
  return [
    `## ${title}`,
    `${summaryOf(report)}.`,
    ...folders.map((folder) => `- ${plainMarkdown(folderText(folder))}, ${storiesOf(folder)}`),
    ...stories,
    ...parts,
    ...(more === 0 ? [] : [`And ${plural(more, "more story", "more stories")}.`]),
  ].join("\n\n");
}

function summaryOf({ found, counts }: Pick<ComparisonReport, "found" | "counts">): string {
  return `${found.isComplete ? "Stories" : "Still comparing; so far"}: ${differenceCountsText(counts)}`;
}

function storiesOf({ stories }: MovedFolder): string {
  return plural(stories.length, "story", "stories");
}

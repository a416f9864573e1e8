import { diffStory } from "../../../content/diff/diff-story.js";
import { differenceEntries } from "../../../content/diff/difference-entries.js";
import { differenceMarkdown } from "../../../content/diff/difference-markdown.js";
import { grouped } from "../../../lib/quantity-text.js";
import { readManifest } from "../../../snapshot/current-manifest.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { storedStory } from "../../../snapshot/reader/stored-story.js";
import type { Store } from "../../../snapshot/store/store.js";
import { differenceCountsText, movedFolders } from "../../../snapshot/story-differences.js";
import { type ComparedRow, type Comparison, compared, comparedStories } from "../data/comparison.js";
import {
  Counts,
  EntriesTable,
  type ListedDifference,
  PartsTable,
  StoriesTable,
  slugText,
} from "../parts/compared-stories.js";
import { Differences } from "../parts/differences.js";
import { Generations, Pager } from "../parts/lists.js";
import { address, comparedGenerations, page } from "../parts/page.js";
import { shortDate } from "../parts/shown-text.js";

const perPage = 50;
const inReport = 50;
/** Longest wait for a running comparison, in milliseconds. */
const waitMs = 200;

/** `/compare`: differences between two generations. `.html` and `.md` are reports. */
export const comparePage = page({
  path: "compare",
  section: "compare",
  async load(asked) {
    const { kept, from, to } = await comparedGenerations(asked);
    const { space, query, page, format } = asked;
    const offered = kept.map(({ generation, committedAt }) => {
      return [generation, `${generation}, ${shortDate(committedAt)}`] as const;
    });
    const choice = { path: "compare", from, to, offered };
    if (from === undefined) {
      return {
        title: "Compare",
        data: { generations: kept.map(({ generation }) => generation), from: null, to },
        choice,
      };
    }
    const [before, after] = [await readManifest(space.store, from), await readManifest(space.store, to)];
    const found = await compared(space.store, before, after, waitMs);
    const [change, edition] = [query.get("change") ?? "", query.get("edition") ?? ""];
    const ofEdition = edition === "" ? found.rows : found.rows.filter((row) => row.edition === edition);
    const fitting = change === "" ? ofEdition : ofEdition.filter((row) => row.change === change);
    const { counts: storyCounts, differences } = comparedStories(found, after, edition);
    const { folders, others } = movedFolders(
      differences.filter(({ kind }) => change === "" || kind === change || (change === "changed" && kind === "moved")),
    );
    const isReport = format === "report" || format === "markdown";
    const details = await detailsOf(space.store, before, after, isReport ? inOrder(fitting).slice(0, inReport) : []);
    const title = `Generation ${from} → ${to}`;
    const about = { from, to, isComplete: found.isComplete, counts: countsOf(found.rows), parts: found.parts };
    const onPage = <T,>(list: readonly T[]) => list.slice((page - 1) * perPage, page * perPage);
    const stories = onPage([...folders, ...others]);
    const ofStories = { storyCounts, storyTotal: folders.length + others.length, stories, entries: found.entries };
    const names = namesOf(ofEdition, stories);
    return {
      title,
      data: { ...about, total: fitting.length, page, perPage, changes: onPage(fitting), ...ofStories },
      isReport: true,
      againSeconds: found.isComplete || isReport ? undefined : 2,
      markdown: () => reportMarkdown({ title, found, after, details }),
      ...{ choice, names, parameters: { from, to, change, edition } },
      report: isReport
        ? { title, found, after, details, dates: [before.committedAt, after.committedAt] as const }
        : undefined,
    };
  },
  view: (loaded) => {
    const { title, choice } = loaded;
    if (!("parameters" in loaded) || loaded.parameters === undefined) {
      return (
        <>
          <h1>{title}</h1>
          <p>Only one generation is kept. The next sync that finds a change creates another.</p>
          <Generations {...choice} />
        </>
      );
    }
    if (loaded.report !== undefined) return <Report {...loaded.report} />;
    const { data, parameters, names } = loaded;
    return (
      <>
        <h1>{title}</h1>
        <Generations {...choice} />
        <Counts {...data} parameters={parameters} />
        <StoriesTable {...data} names={names} />
        <Pager {...data} total={data.storyTotal} href={(other) => address("compare", { ...parameters, page: other })} />
        <EntriesTable entries={data.entries} />
        <PartsTable parts={data.parts} />
        <p>
          As one file: <a href={address("compare.html", parameters)}>HTML</a> ·{" "}
          <a href={address("compare.md", parameters)}>Markdown</a>, for a mail or a pull request.
        </p>
      </>
    );
  },
});

function countsOf(rows: readonly ComparedRow[]) {
  const counts = { added: 0, changed: 0, moved: 0, removed: 0 };
  for (const { change } of rows) counts[change]++;
  return counts;
}

interface Detail {
  row: ComparedRow;
  from: number;
  to: number;
  change: ReturnType<typeof diffStory>["change"];
  entries: ReturnType<typeof differenceEntries>;
}

async function detailsOf(store: Store, before: Manifest, after: Manifest, rows: readonly ComparedRow[]) {
  const details: Detail[] = [];
  for (const row of rows) {
    const old = await storedStory(store, before, row.edition, row.uuid);
    const now = await storedStory(store, after, row.edition, row.uuid);
    const { change, fields } = diffStory(old, now);
    details.push({ row, from: before.generation, to: after.generation, change, entries: differenceEntries(fields) });
  }
  return details;
}

function summaryOf({ found, after }: Pick<Reported, "found" | "after">): string {
  const { counts } = comparedStories(found, after);
  return `${found.isComplete ? "Stories" : "Still comparing; so far"}: ${differenceCountsText(counts)}`;
}

/** By slug, then edition. */
function inOrder(rows: readonly ComparedRow[]): ComparedRow[] {
  const key = ({ full_slug, edition }: ComparedRow) => `${full_slug}\n${edition}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The names of the listed stories, by uuid. */
function namesOf(rows: readonly ComparedRow[], listed: readonly ListedDifference[]): Map<string, string> {
  const uuids = new Set(listed.flatMap((one) => ("uuid" in one ? one : one.stories)).map(({ uuid }) => uuid));
  return new Map(rows.filter(({ uuid }) => uuids.has(uuid)).map(({ uuid, name }) => [uuid, name]));
}

interface Reported {
  title: string;
  found: Comparison;
  after: Manifest;
  details: readonly Detail[];
}

function Report({ title, found, after, details, dates }: Reported & { dates: readonly [string, string] }) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        {summaryOf({ found, after })}. Committed {shortDate(dates[0])} and {shortDate(dates[1])} (UTC).
      </p>
      {details.map(({ row, change, entries }) => (
        <section>
          <h2 dir="auto">{row.name || row.full_slug}</h2>
          <p>
            <span class={`mark ${row.change}`}>{row.change}</span> <code dir="auto">{slugText(row)}</code> ·{" "}
            {row.edition}
          </p>
          {change === "changed" ? <Differences entries={entries} /> : null}
        </section>
      ))}
      {found.rows.length > details.length ? (
        <p class="quiet">
          The first {details.length} of {grouped(found.rows.length)} are shown.
        </p>
      ) : null}
      <EntriesTable entries={found.entries} />
      <PartsTable parts={found.parts} />
    </>
  );
}

function reportMarkdown({ title, found, after, details }: Reported): string {
  const stories = details.map(({ row, from, to, change, entries }) => {
    return differenceMarkdown({ name: row.name, slug: row.full_slug, edition: row.edition, from, to, change, entries });
  });
  const parts = found.parts.map(({ part, added, changed, removed }) => {
    return `- ${part.replace(/[^\w/ @-]/g, "?")}: ${added} added, ${changed} changed, ${removed} removed`;
  });
  const more =
    found.rows.length > details.length ? [`The first ${details.length} of ${found.rows.length} are listed.`] : [];
  return [`## ${title}`, `${summaryOf({ found, after })}.`, ...stories, ...parts, ...more].join("\n\n");
}

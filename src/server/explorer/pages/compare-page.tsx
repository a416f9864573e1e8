import { diffStory } from "../../../content/diff/diff-story.js";
import { differenceEntries } from "../../../content/diff/difference-entries.js";
import { differenceMarkdown } from "../../../content/diff/difference-markdown.js";
import { grouped, plural } from "../../../lib/quantity-text.js";
import { readManifest } from "../../../snapshot/current-manifest.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { storedStory } from "../../../snapshot/reader/stored-story.js";
import type { Store } from "../../../snapshot/store/store.js";
import { type ComparedRow, type Comparison, compared } from "../data/comparison.js";
import { Differences } from "../parts/differences.js";
import { Generations, Pager, storyLink, Table } from "../parts/lists.js";
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
    const fitting = found.rows.filter((row) => {
      return (change === "" || row.change === change) && (edition === "" || row.edition === edition);
    });
    const isReport = format === "report" || format === "markdown";
    const details = await detailsOf(space.store, before, after, isReport ? fitting.slice(0, inReport) : []);
    const title = `Generation ${from} → ${to}`;
    const about = { from, to, isComplete: found.isComplete, counts: countsOf(found.rows), parts: found.parts };
    const changes = fitting.slice((page - 1) * perPage, page * perPage);
    return {
      title,
      data: { ...about, total: fitting.length, page, perPage, changes },
      isReport: true,
      againSeconds: found.isComplete || isReport ? undefined : 2,
      markdown: () => reportMarkdown({ title, found, details }),
      ...{ choice, parameters: { from, to, change, edition } },
      report: isReport ? { title, found, details, dates: [before.committedAt, after.committedAt] as const } : undefined,
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
    const { data, parameters } = loaded;
    const { counts, changes } = data;
    return (
      <>
        <h1>{title}</h1>
        <Generations {...choice} />
        <p>
          {data.isComplete ? "" : "Still comparing; so far: "}
          {(["added", "changed", "moved", "removed"] as const).map((change, place) => (
            <>
              {place > 0 ? " · " : ""}
              <a
                href={address("compare", { ...parameters, change })}
                {...(parameters.change === change ? { "aria-current": "true" } : {})}
              >
                {grouped(counts[change])} {change}
              </a>
            </>
          ))}
          {parameters.change === "" ? null : (
            <>
              {" · "}
              <a href={address("compare", { ...parameters, change: "" })}>all</a>
            </>
          )}
        </p>
        {changes.length === 0 ? (
          <p>No stories differ.</p>
        ) : (
          <Table
            caption="Stories that differ"
            head={["Change", "Story", "Edition", "Slug"]}
            rows={changes.map((row) => [
              <span class={`mark ${row.change}`}>{row.change}</span>,
              storyLink(row, storyCompareAddress(row, data.from, data.to)),
              row.edition,
              <code dir="auto">{slugText(row)}</code>,
            ])}
          />
        )}
        <Pager {...data} href={(other) => address("compare", { ...parameters, page: other })} />
        <PartsTable parts={data.parts} />
        <p>
          As one file: <a href={address("compare.html", parameters)}>HTML</a> ·{" "}
          <a href={address("compare.md", parameters)}>Markdown</a>, for a mail or a pull request.
        </p>
      </>
    );
  },
});

function slugText({ from, full_slug }: ComparedRow): string {
  return from === undefined ? full_slug : `${from} → ${full_slug}`;
}

function storyCompareAddress({ uuid, edition }: ComparedRow, from: number, to: number): string {
  const [version, language] = [edition.slice(0, edition.indexOf("/")), edition.slice(edition.indexOf("/") + 1)];
  return address(`compare/${encodeURIComponent(uuid)}`, { from, to, language, version });
}

function countsOf(rows: readonly ComparedRow[]) {
  const counts = { added: 0, changed: 0, moved: 0, removed: 0 };
  for (const { change } of rows) counts[change]++;
  return counts;
}

function PartsTable({ parts }: Pick<Comparison, "parts">) {
  if (parts.length === 0) return null;
  return (
    <Table
      caption="Other records that differ"
      head={["Part", "Added", "Changed", "Removed"]}
      rows={parts.map(({ part, added, changed, removed }) => [
        part,
        grouped(added),
        grouped(changed),
        grouped(removed),
      ])}
    />
  );
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

function summaryOf({ rows, isComplete }: Comparison): string {
  const { added, changed, moved, removed } = countsOf(rows);
  return `${isComplete ? "" : "At least "}${plural(added, "story", "stories")} added, ${changed} changed, ${moved} moved, ${removed} removed`;
}

interface Reported {
  title: string;
  found: Comparison;
  details: readonly Detail[];
}

function Report({ title, found, details, dates }: Reported & { dates: readonly [string, string] }) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        {summaryOf(found)}. Committed {shortDate(dates[0])} and {shortDate(dates[1])} (UTC).
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
      <PartsTable parts={found.parts} />
    </>
  );
}

function reportMarkdown({ title, found, details }: Reported): string {
  const stories = details.map(({ row, from, to, change, entries }) => {
    return differenceMarkdown({ name: row.name, slug: row.full_slug, edition: row.edition, from, to, change, entries });
  });
  const parts = found.parts.map(({ part, added, changed, removed }) => {
    return `- ${part.replace(/[^\w/ @-]/g, "?")}: ${added} added, ${changed} changed, ${removed} removed`;
  });
  const more =
    found.rows.length > details.length ? [`The first ${details.length} of ${found.rows.length} are listed.`] : [];
  return [`## ${title}`, `${summaryOf(found)}.`, ...stories, ...parts, ...more].join("\n\n");
}

import { storedStory } from "../../reader/stored-story.js";
import { readManifest } from "../../snapshot/current-manifest.js";
import { diffStory } from "../../story-diff/diff-story.js";
import { differenceEntries } from "../../story-diff/difference-entries.js";
import { differenceMarkdown } from "../../story-diff/difference-markdown.js";
import { type ComparedRow, type Comparison, compared } from "../comparison.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { keptManifests } from "../generations.js";
import { address, generationIn, type Page, type PageRequest, pageNumber } from "../page.js";
import { Differences, Pager, Table } from "../parts.js";
import { grouped, plural, shortDate } from "../text.js";

const perPage = 50;
/** Stories whose differences a report has; the list has all. */
const inReport = 50;
/** How long a page waits for a comparison that is under way, in milliseconds. */
const waitMs = 200;

/** `/compare`: what came, went, changed and moved between two generations. `.html` and `.md` are reports of it. */
export async function makeComparePage(space: ExplorerSpace, request: PageRequest): Promise<Page> {
  const { source, store } = space;
  const current = source.view().reader.manifest;
  const kept = await keptManifests(store);
  const to = generationIn(request, "to") ?? current.generation;
  const from = generationIn(request, "from") ?? kept.find(({ generation }) => generation < to)?.generation;
  const choice = <Choice kept={kept} from={from} to={to} />;
  if (from === undefined) {
    const data = { generations: kept.map(({ generation }) => generation), from: null, to };
    const view = () => (
      <>
        <h1>Compare</h1>
        <p>There is one generation alone. The next sync that finds something new makes another one.</p>
        {choice}
      </>
    );
    return { title: "Compare", section: "compare", data, view };
  }
  const [before, after] = [await readManifest(store, from), await readManifest(store, to)];
  const found = await compared(store, before, after, waitMs);
  const asked = { change: request.query.get("change") ?? "", edition: request.query.get("edition") ?? "" };
  const fitting = found.rows.filter((row) => {
    return (
      (asked.change === "" || row.change === asked.change) && (asked.edition === "" || row.edition === asked.edition)
    );
  });
  const page = pageNumber(request);
  const rows = fitting.slice((page - 1) * perPage, page * perPage);
  const counts = countsOf(found.rows);
  const parameters = { from, to, ...asked };
  const isReport = request.format === "report" || request.format === "markdown";
  const details = await detailsOf(space, { before, after, rows: isReport ? fitting.slice(0, inReport) : [] });
  const title = `Generation ${from} → ${to}`;
  const about = { from, to, isComplete: found.isComplete, counts, parts: found.parts };
  return {
    title,
    section: "compare",
    data: { ...about, total: fitting.length, page, perPage, changes: rows },
    isReport: true,
    ...(found.isComplete || isReport ? {} : { againSeconds: 2 }),
    markdown: () => reportMarkdown({ title, found, details }),
    view: () =>
      isReport ? (
        <Report title={title} found={found} details={details} dates={[before.committedAt, after.committedAt]} />
      ) : (
        <>
          <h1>{title}</h1>
          {choice}
          <p>
            {found.isComplete ? "" : "Still comparing; so far: "}
            {(["added", "changed", "moved", "removed"] as const).map((change, place) => (
              <>
                {place > 0 ? " · " : ""}
                <a
                  href={address("compare", { ...parameters, change })}
                  {...(asked.change === change ? { "aria-current": "true" } : {})}
                >
                  {grouped(counts[change])} {change}
                </a>
              </>
            ))}
            {asked.change === "" ? null : (
              <>
                {" · "}
                <a href={address("compare", { ...parameters, change: "" })}>all</a>
              </>
            )}
          </p>
          {rows.length === 0 ? (
            <p>No story differs.</p>
          ) : (
            <Table
              caption="Stories that differ"
              head={["Change", "Story", "Edition", "Slug"]}
              rows={rows.map((row) => [
                <span class={`mark ${row.change}`}>{row.change}</span>,
                <a href={storyCompareAddress(row, from, to)} dir="auto">
                  {row.name || row.full_slug}
                </a>,
                row.edition,
                <code dir="auto">{row.from === undefined ? row.full_slug : `${row.from} → ${row.full_slug}`}</code>,
              ])}
            />
          )}
          <Pager
            page={page}
            perPage={perPage}
            total={fitting.length}
            href={(other) => address("compare", { ...parameters, page: other })}
          />
          <PartsTable found={found} />
          <p>
            As one file: <a href={address("compare.html", parameters)}>HTML</a> ·{" "}
            <a href={address("compare.md", parameters)}>Markdown</a>, for a mail or a pull request.
          </p>
        </>
      ),
  };
}

/** The comparison of one story of a list. */
function storyCompareAddress({ uuid, edition }: ComparedRow, from: number, to: number): string {
  const [version, language] = [edition.slice(0, edition.indexOf("/")), edition.slice(edition.indexOf("/") + 1)];
  return address(`compare/${encodeURIComponent(uuid)}`, { from, to, language, version });
}

function countsOf(rows: readonly ComparedRow[]) {
  const counts = { added: 0, changed: 0, moved: 0, removed: 0 };
  for (const { change } of rows) counts[change]++;
  return counts;
}

function Choice({
  kept,
  from,
  to,
}: {
  kept: Awaited<ReturnType<typeof keptManifests>>;
  from: number | undefined;
  to: number;
}) {
  const options = (selected: number | undefined) =>
    kept.map(({ generation, committedAt }) => (
      <option value={String(generation)} {...(generation === selected ? { selected: true } : {})}>
        {generation}, {shortDate(committedAt)}
      </option>
    ));
  return (
    <form action={address("compare")} class="line">
      <label for="from">From generation</label>
      <select id="from" name="from">
        {options(from)}
      </select>
      <label for="to">to</label>
      <select id="to" name="to">
        {options(to)}
      </select>
      <button type="submit">Compare</button>
    </form>
  );
}

function PartsTable({ found }: { found: Comparison }) {
  if (found.parts.length === 0) return null;
  return (
    <Table
      caption="Other records that differ"
      head={["Part", "Added", "Changed", "Removed"]}
      rows={found.parts.map(({ part, added, changed, removed }) => [
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

async function detailsOf(
  { store }: ExplorerSpace,
  {
    before,
    after,
    rows,
  }: {
    before: Parameters<typeof storedStory>[1];
    after: Parameters<typeof storedStory>[1];
    rows: readonly ComparedRow[];
  },
): Promise<Detail[]> {
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

function Report({
  title,
  found,
  details,
  dates,
}: {
  title: string;
  found: Comparison;
  details: readonly Detail[];
  dates: readonly [string, string];
}) {
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
            <span class={`mark ${row.change}`}>{row.change}</span>{" "}
            <code dir="auto">{row.from === undefined ? row.full_slug : `${row.from} → ${row.full_slug}`}</code> ·{" "}
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
      <PartsTable found={found} />
    </>
  );
}

function reportMarkdown({
  title,
  found,
  details,
}: {
  title: string;
  found: Comparison;
  details: readonly Detail[];
}): string {
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

import { readManifest } from "../../../snapshot/current-manifest.js";
import { movedFolders } from "../../../snapshot/story-differences.js";
import { type ComparedRow, compared, comparedStories } from "../data/comparison.js";
import { Counts, EntriesTable, type ListedDifference, PartsTable, StoriesTable } from "../parts/compared-stories.js";
import { comparisonReport, Report, reportMarkdown } from "../parts/comparison-report.js";
import { Generations, Pager } from "../parts/lists.js";
import { address, comparedGenerations, page, shortDate } from "../parts/page.js";

const perPage = 50;
/** Longest wait for a running comparison, in milliseconds. */
const waitMs = 200;

/** `/compare`: differences between two generations. `.html` and `.md` are reports. */
export const comparePage = page({
  path: "compare",
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
    const title = `Generation ${from} → ${to}`;
    const report = { store: space.store, title, found, counts: storyCounts, before, after, folders, others };
    const reported = isReport ? await comparisonReport(report) : undefined;
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
      markdown: reported && (() => reportMarkdown(reported)),
      ...{ choice, names, parameters: { from, to, change, edition } },
      reported,
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
    if (loaded.reported !== undefined) return <Report {...loaded.reported} />;
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

/** The names of the listed stories in the first edition of each, by uuid. */
function namesOf(rows: readonly ComparedRow[], listed: readonly ListedDifference[]): Map<string, string> {
  const stories = listed.flatMap((one) => ("uuid" in one ? one : one.stories));
  const shown = new Map(stories.map(({ uuid, editions }) => [uuid, editions[0]]));
  return new Map(rows.flatMap(({ uuid, edition, name }) => (shown.get(uuid) === edition ? [[uuid, name]] : [])));
}

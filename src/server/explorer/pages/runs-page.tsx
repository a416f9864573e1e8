import type { Child } from "hono/jsx";
import { grouped, size } from "../../../lib/quantity-text.js";
import { countedByCode, type RunRecord } from "../../../snapshot/state.js";
import { readOutputState } from "../data/explorer-space.js";
import { RequestChart, RunChart } from "../parts/chart.js";
import { Table, Tiles } from "../parts/lists.js";
import { address, duration, page, shortDate } from "../parts/page.js";

const weekMs = 7 * 24 * 3_600_000;

/** `/runs`: the cost and reason of each run, and the totals of the last seven days. */
export const runsPage = page({
  path: "runs",
  async load({ space, manifest, nowMs }) {
    const { runs } = await readOutputState(space.store, manifest);
    const recent = runs.filter(({ startedAt }) => nowMs - Date.parse(startedAt) <= weekMs);
    const sum = (of: (run: RunRecord) => number) => recent.reduce((all, run) => all + of(run), 0);
    const week = {
      runs: recent.length,
      requests: sum(({ requests }) => requests),
      bytes: sum(({ bytes = 0 }) => bytes),
      durationMs: sum(({ durationMs }) => durationMs),
    };
    return { title: "Runs", data: { week, runs } };
  },
  view: ({ data: { week, runs } }) => (
    <>
      <h1>Runs</h1>
      <h2>The last seven days</h2>
      <Tiles
        tiles={[
          [grouped(week.requests), "requests"],
          [size(week.bytes), "received"],
          [duration(week.durationMs), "of work"],
          [grouped(week.runs), `${week.runs === 1 ? "run" : "runs"} that did something`],
        ]}
      />
      {runs.length >= 50 ? (
        <p class="quiet">Only the last 50 runs are kept, so the start of the week may be missing.</p>
      ) : null}
      {runs.length === 0 ? <p>No run has done anything yet, or the log was removed.</p> : <Runs runs={runs} />}
      <p>
        <a href={address("compare")}>Compare generations</a>
      </p>
    </>
  ),
});

const columns: readonly (readonly [string, (run: RunRecord) => Child])[] = [
  ["Started (UTC)", ({ startedAt }) => <time datetime={startedAt}>{shortDate(startedAt)}</time>],
  ["Outcome", ({ outcome }) => outcome],
  ["Generation", ({ generation }) => String(generation ?? "–")],
  ["Requests", ({ requests }) => grouped(requests)],
  ["Received", ({ bytes }) => unbroken(bytes === undefined ? "–" : size(bytes))],
  ["Time", ({ durationMs }) => unbroken(duration(durationMs))],
  ["Changes", ({ stories }) => (stories ? unbroken(`+${stories.added} ~${stories.changed} −${stories.removed}`) : "–")],
  ["Longest stages", stagesText],
  ["Problems", codesText],
];

/** A text that is not broken over lines, as a number and its unit. */
function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

function Runs({ runs }: { runs: readonly RunRecord[] }) {
  return (
    <>
      <div class="charts">
        <RequestChart runs={runs} />
        <RunChart title="Changed stories" runs={runs} of={changesOf} unit={grouped} />
      </div>
      <Table
        caption="Cost and cause of each run, newest first"
        head={columns.map(([name]) => name)}
        rows={[...runs].reverse().map((run) => columns.map(([, cell]) => cell(run)))}
      />
    </>
  );
}

function changesOf({ stories }: RunRecord): number {
  return stories === undefined ? 0 : stories.added + stories.changed + stories.removed;
}

function codesText({ problems = [], problemCounts = countedByCode(problems) }: RunRecord): string {
  const counts = Object.entries(problemCounts);
  return counts.map(([code, count]) => (count === 1 ? code : `${code} × ${count}`)).join(", ") || "–";
}

function stagesText({ stagesMs = {} }: RunRecord): string {
  const stages = Object.entries(stagesMs).sort(([, a], [, b]) => b - a);
  const longest = stages.slice(0, 3).map(([name, ms]) => unbroken(`${name} ${duration(ms)}`));
  return longest.join(", ") || "–";
}

import { countedByCode, type RunRecord } from "../../snapshot/state.js";
import { BarChart } from "../chart.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { readOutputState } from "../output-state.js";
import { address, type Page, type PageRequest } from "../page.js";
import { Table } from "../parts.js";
import { byteSize, duration, grouped, plural, shortDate } from "../text.js";

const weekMs = 7 * 24 * 3_600_000;

/** `/runs`: what each run cost and why, and what the last seven days cost together. */
export async function makeRunsPage({ source, store }: ExplorerSpace, { nowMs }: PageRequest): Promise<Page> {
  const { manifest } = source.view().reader;
  const { runs } = await readOutputState(store, manifest);
  const recent = runs.filter(({ startedAt }) => nowMs - Date.parse(startedAt) <= weekMs);
  const week = {
    runs: recent.length,
    requests: recent.reduce((sum, { requests }) => sum + requests, 0),
    bytes: recent.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    durationMs: recent.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
  const at = (run: RunRecord, text: string) => `${shortDate(run.startedAt)}: ${text}`;
  const view = () => (
    <>
      <h1>Runs</h1>
      <h2>The last seven days</h2>
      <ul class="tiles">
        <li>
          <b>{grouped(week.requests)}</b>
          <span>requests</span>
        </li>
        <li>
          <b>{byteSize(week.bytes)}</b>
          <span>received</span>
        </li>
        <li>
          <b>{duration(week.durationMs)}</b>
          <span>of work</span>
        </li>
        <li>
          <b>{grouped(week.runs)}</b>
          <span>{week.runs === 1 ? "run" : "runs"} that did something</span>
        </li>
      </ul>
      {runs.length >= 50 ? (
        <p class="quiet">The last 50 runs are noted: an earlier part of the week may be missing.</p>
      ) : null}
      {runs.length === 0 ? (
        <p>No run has done anything yet, or the log was removed.</p>
      ) : (
        <>
          <div class="charts">
            <BarChart
              title="Requests"
              unit={grouped}
              bars={runs.map((run) => ({ value: run.requests, text: at(run, plural(run.requests, "request")) }))}
            />
            <BarChart
              title="Changed stories"
              unit={grouped}
              bars={runs.map((run) => ({ value: changesOf(run), text: at(run, grouped(changesOf(run))) }))}
            />
          </div>
          <Table
            caption="What each run cost and why, newest first"
            head={[
              "Started (UTC)",
              "Outcome",
              "Generation",
              "Requests",
              "Received",
              "Time",
              "Changes",
              "Where the time went",
              "Problems",
            ]}
            rows={[...runs].reverse().map((run) => [
              <time datetime={run.startedAt}>{shortDate(run.startedAt)}</time>,
              run.outcome,
              run.generation === null ? "–" : String(run.generation),
              grouped(run.requests),
              run.bytes === undefined ? "–" : byteSize(run.bytes),
              duration(run.durationMs),
              run.stories === undefined ? (
                "–"
              ) : (
                <>
                  +{run.stories.added} ~{run.stories.changed} −{run.stories.removed}
                </>
              ),
              <span class="line-1">{stagesText(run)}</span>,
              <span class="line-1">{codesText(run)}</span>,
            ])}
          />
        </>
      )}
      <p>
        <a href={address("compare")}>Compare generations</a>
      </p>
    </>
  );
  return { title: "Runs", section: "runs", data: { week, runs }, view };
}

function changesOf({ stories }: RunRecord): number {
  return stories === undefined ? 0 : stories.added + stories.changed + stories.removed;
}

/** The codes of a run's problems, each with its number. */
function codesText({ problems = [], problemCounts = countedByCode(problems) }: RunRecord): string {
  const counts = Object.entries(problemCounts);
  return counts.map(([code, count]) => (count === 1 ? code : `${code} × ${count}`)).join(", ") || "–";
}

/** The three stages that took the longest. */
function stagesText({ stagesMs = {} }: RunRecord): string {
  const stages = Object.entries(stagesMs).sort(([, a], [, b]) => b - a);
  return (
    stages
      .slice(0, 3)
      .map(([name, ms]) => `${name} ${duration(ms)}`)
      .join(", ") || "–"
  );
}

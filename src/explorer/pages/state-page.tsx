import { parts } from "../../snapshot/layout.js";
import { BarChart } from "../chart.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { keptGenerations } from "../generations.js";
import { readOutputState } from "../output-state.js";
import { address, type Page, type PageRequest } from "../page.js";
import { Facts, Table } from "../parts.js";
import { age, byteSize, duration, grouped, languageName, plural, shortDate } from "../text.js";

/** `/`: which state the snapshot is in, how old it is, what it has, and what the last runs cost. */
export async function makeStatePage({ source, store }: ExplorerSpace, { nowMs }: PageRequest): Promise<Page> {
  const { manifest } = source.view().reader;
  const state = await readOutputState(store, manifest);
  const generations = await keptGenerations(store);
  const editions = manifest.editions.map(({ name, language, version, level }) => {
    return { name, language, version, level, stories: manifest.parts[parts.stories(name)]?.records ?? 0 };
  });
  const bytes = Object.values(manifest.parts).reduce((sum, { shards }) => {
    return sum + shards.reduce((all, shard) => all + shard.bytes, 0);
  }, 0);
  const assets = manifest.parts[parts.assets]?.records ?? 0;
  const problems = [...state.spaceProblems, ...state.contentProblems];
  const data = {
    space: manifest.space,
    generation: manifest.generation,
    cv: manifest.cv,
    level: manifest.level,
    held: manifest.held,
    committedAt: manifest.committedAt,
    confirmedAtMs: state.confirmedAtMs,
    bytes,
    assets,
    editions,
    generations,
    problems,
    damaged: state.damaged,
    runs: state.runs,
  };
  const { runs } = state;
  const total = editions.reduce((most, { stories }) => Math.max(most, stories), 0);
  const confirmed = state.confirmedAtMs === null ? "never" : `${age(nowMs - state.confirmedAtMs)} ago`;
  const at = (startedAt: string, text: string) => `${shortDate(startedAt)}: ${text}`;
  const view = () => (
    <>
      <h1 dir="auto">{manifest.space.name ?? "Unnamed space"}</h1>
      <ul class="tiles">
        <li>
          <b>{confirmed}</b>
          <span>confirmed against the space</span>
        </li>
        <li>
          <b>{manifest.level}</b>
          <span>{manifest.held ? "held: sync leaves it alone" : "how exact it is"}</span>
        </li>
        <li>
          <a href={address("stories")}>
            <b>{grouped(total)}</b>
            <span>{total === 1 ? "story" : "stories"}</span>
          </a>
        </li>
        <li>
          <a href={address("assets")}>
            <b>{grouped(assets)}</b>
            <span>assets</span>
          </a>
        </li>
        <li>
          <a href={address("problems")}>
            <b>{grouped(problems.length)}</b>
            <span>{problems.length === 1 ? "problem" : "problems"}</span>
          </a>
        </li>
      </ul>
      <h2>Snapshot</h2>
      <Facts
        facts={[
          ["Generation", `${manifest.generation}, committed ${shortDate(manifest.committedAt)}`],
          ["Space", `${manifest.space.id ?? "id unknown"} from ${manifest.space.source}`],
          ["cv", String(manifest.cv ?? "unknown")],
          ["Size", `${byteSize(bytes)} of records`],
          [
            "Kept generations",
            generations.map((generation, place) => (
              <>
                {place > 0 ? ", " : ""}
                {generation === manifest.generation ? (
                  String(generation)
                ) : (
                  <a href={address("compare", { from: generation, to: manifest.generation })}>{generation}</a>
                )}
              </>
            )),
          ],
          ...(state.damaged.length > 0 ? ([["Damaged", state.damaged.join(", ")]] as const) : []),
        ]}
      />
      {runs.length === 0 ? null : (
        <>
          <h2>The last {plural(runs.length, "run")} that did something</h2>
          <div class="charts">
            <BarChart
              title="Requests"
              unit={grouped}
              bars={runs.map((run) => ({
                value: run.requests,
                text: at(run.startedAt, plural(run.requests, "request")),
              }))}
            />
            <BarChart
              title="Duration"
              unit={duration}
              bars={runs.map((run) => ({ value: run.durationMs, text: at(run.startedAt, duration(run.durationMs)) }))}
            />
            <BarChart
              title="Stories"
              unit={grouped}
              bars={runs.map((run) => {
                const stories = run.stories?.total ?? 0;
                return { value: stories, text: at(run.startedAt, plural(stories, "story", "stories")) };
              })}
            />
          </div>
          <p>
            <a href={address("runs")}>What each run cost, and why</a>
          </p>
        </>
      )}
      <h2>Editions</h2>
      <Table
        caption="What the snapshot has, by version and language"
        head={["Edition", "Language", "Stories", "Level"]}
        rows={editions
          .slice(0, 200)
          .map(({ name, language, version, stories, level }) => [
            <a href={address("stories", { language, version })}>{name}</a>,
            languageName(language),
            grouped(stories),
            level,
          ])}
      />
      {editions.length > 200 ? <p class="quiet">and {grouped(editions.length - 200)} more</p> : null}
    </>
  );
  return { title: "State", section: "state", data, view };
}

import { languageName } from "../../../lib/language-name.js";
import { age, grouped, plural, size } from "../../../lib/quantity-text.js";
import { parts } from "../../../snapshot/layout.js";
import type { RunRecord } from "../../../snapshot/state.js";
import { readOutputState } from "../data/explorer-space.js";
import { keptManifests } from "../data/generations.js";
import { RequestChart, RunChart } from "../parts/chart.js";
import { type KeptGeneration, KeptGenerations } from "../parts/generation-tables.js";
import { Facts, More, Table, Tiles } from "../parts/lists.js";
import { address, duration, page, shortDate } from "../parts/page.js";

/** `/`: the state of the snapshot: age, contents, and the last runs. */
export const statePage = page({
  path: "",
  async load({ space: { store }, manifest, nowMs }) {
    const state = await readOutputState(store, manifest);
    const commits = state.runs.filter(({ outcome }) => outcome === "committed");
    const runs = new Map(commits.map((run) => [run.generation, run]));
    const kept = (await keptManifests(store)).map(({ generation, committedAt }): KeptGeneration => {
      return { generation, committedAt, stories: runs.get(generation)?.stories ?? null };
    });
    const { space, generation, cv, level, held, committedAt } = manifest;
    const editions = manifest.editions.map(({ name, language, version, level }) => {
      return { name, language, version, level, stories: manifest.parts[parts.stories(name)]?.records ?? 0 };
    });
    const data = {
      ...{ space, generation, cv, level, held, committedAt, confirmedAtMs: state.confirmedAtMs },
      bytes: Object.values(manifest.parts).reduce((sum, { shards }) => {
        return sum + shards.reduce((all, { bytes }) => all + bytes, 0);
      }, 0),
      assets: manifest.parts[parts.assets]?.records ?? 0,
      editions,
      generations: kept.map(({ generation }) => generation),
      kept,
      problems: [...state.spaceProblems, ...state.contentProblems],
      notIncluded: manifest.notIncluded,
      ...{ damaged: state.damaged, runs: state.runs },
    };
    return { title: "State", data, nowMs };
  },
  view: ({ data, nowMs }) => {
    const { space, confirmedAtMs, level, held, assets, problems, editions, runs } = data;
    const problemCount = problems.length + data.notIncluded.length;
    const stories = editions.reduce((most, { stories }) => Math.max(most, stories), 0);
    return (
      <>
        <h1 dir="auto">{space.name ?? "Unnamed space"}</h1>
        <Tiles
          tiles={[
            [
              confirmedAtMs === null ? "never" : `${age(nowMs - confirmedAtMs)} ago`,
              "confirmed to match the space",
              address("runs"),
            ],
            [level, held ? "held after a rollback: not synced" : levelTexts[level], "#editions"],
            [grouped(stories), stories === 1 ? "story" : "stories", address("stories")],
            [grouped(assets), "assets", address("assets")],
            [
              grouped(problemCount),
              `${problemCount === 1 ? "problem" : "problems"} of the last sync and export`,
              address("problems", { show: "sync" }),
            ],
          ]}
        />
        <h2>Snapshot</h2>
        <Facts
          facts={[
            ["Generation", `${data.generation}, committed ${shortDate(data.committedAt)}`],
            ["Space", `${space.id ?? "id unknown"} from ${space.source}`],
            ["cv", String(data.cv ?? "unknown")],
            ["Size", `${size(data.bytes)} of records`],
            data.damaged.length > 0 && ["Damaged", data.damaged.join(", ")],
          ]}
        />
        <h2 id="generations">States to go back to</h2>
        <KeptGenerations kept={data.kept} current={data.generation} />
        {runs.length === 0 ? null : <LastRuns runs={runs} />}
        <h2 id="editions">Editions</h2>
        <p class="quiet">
          Exact: {levelTexts.exact}. Stable: {levelTexts.stable}. Interval: {levelTexts.interval}.
        </p>
        <Table
          caption="Editions of the snapshot, by version and language"
          head={["Edition", "Language", "Stories", "Level"]}
          rows={editions
            .slice(0, shownEditions)
            .map(({ name, language, version, stories, level }) => [
              <a href={address("stories", { language, version })}>{name}</a>,
              languageName(language),
              grouped(stories),
              level,
            ])}
        />
        <More count={editions.length - shownEditions} />
      </>
    );
  },
});

const shownEditions = 200;
const levelTexts = {
  exact: "every record is as the space had it at one moment",
  stable: "two readings gave the same records",
  interval: "the space changed while it was read",
} as const;

function LastRuns({ runs }: { runs: readonly RunRecord[] }) {
  const stories = (count: number) => plural(count, "story", "stories");
  return (
    <>
      <h2>The last {plural(runs.length, "run")} that did something</h2>
      <div class="charts">
        <RequestChart runs={runs} />
        <RunChart title="Duration" runs={runs} of={({ durationMs }) => durationMs} unit={duration} />
        <RunChart title="Stories" runs={runs} of={(run) => run.stories?.total ?? 0} unit={grouped} text={stories} />
      </div>
      <p>
        <a href={address("runs")}>Cost and cause of each run</a>
      </p>
    </>
  );
}

import type { StoryState } from "../data/generations.js";
import { Table } from "./lists.js";
import { compareAddress, type StoryParameters, storyAddress } from "./page.js";
import { shortDate } from "./shown-text.js";

interface HistoryProperties {
  uuid: string;
  current: number;
  parameters: StoryParameters;
  history: readonly StoryState[];
}

/** What happened to a story in each kept generation. */
export function StoryHistory({ uuid, current, parameters, history }: HistoryProperties) {
  const difference = (from: number, to: number) => compareAddress(uuid, { ...parameters, from, to });
  return (
    <>
      <h2 id="history">History</h2>
      <Table
        caption="This story in the kept generations, newest first"
        head={["Generation", "Committed (UTC)", "cv", "Change", "View"]}
        rows={foldHistory(history).map((states) => {
          const [{ generation, committedAt, cv, change }] = states;
          const oldest = states.at(-1)!;
          const isFolded = states.length > 1;
          const before = history[history.indexOf(oldest) + 1]?.generation;
          return [
            isFolded ? `${oldest.generation}–${generation}` : String(generation),
            shortDate(committedAt),
            String(cv ?? "unknown"),
            isFolded ? `${states.length} generations: ${changeTexts[change]}` : changeTexts[change],
            <>
              {change === "absent" || change === "removed" ? null : (
                <a href={storyAddress(uuid, { ...parameters, generation })}>as it was in {generation}</a>
              )}{" "}
              {before !== undefined && change !== "same" && change !== "absent" ? (
                <a href={difference(before, generation)}>what changed in {generation}</a>
              ) : null}{" "}
              {generation < current ? <a href={difference(generation, current)}>changes since {generation}</a> : null}
            </>,
          ];
        })}
      />
    </>
  );
}

const changeTexts: Readonly<Record<StoryState["change"], string>> = {
  added: "added",
  removed: "removed",
  changed: "changed",
  same: "unchanged",
  absent: "not present",
  unknown: "unknown: the oldest one kept",
};

/** A history, newest first, in which neighbours without a change are together. */
export function foldHistory(history: readonly StoryState[]): [StoryState, ...StoryState[]][] {
  const folded: [StoryState, ...StoryState[]][] = [];
  for (const state of history) {
    const last = folded.at(-1);
    const isSame = state.change === "same" || state.change === "absent";
    if (isSame && last?.[0].change === state.change) last.push(state);
    else folded.push([state]);
  }
  return folded;
}

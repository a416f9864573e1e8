import { grouped } from "../../../lib/quantity-text.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import type { RunRecord } from "../../../snapshot/state.js";
import type { StoryState } from "../data/generations.js";
import { Table } from "./lists.js";
import { address, compareAddress, type StoryParameters, shortDate, storyAddress } from "./page.js";

export interface KeptGeneration extends Pick<Manifest, "generation" | "committedAt"> {
  /** What its sync changed; null where the log has forgotten that run. */
  stories: NonNullable<RunRecord["stories"]> | null;
}

interface KeptProperties {
  /** Newest first. */
  kept: readonly KeptGeneration[];
  current: number;
}

const shown = 10;

/** The kept generations with date and changes; the older ones are folded. */
export function KeptGenerations({ kept, current }: KeptProperties) {
  const rest = kept.slice(shown);
  return (
    <>
      <Rows kept={kept.slice(0, shown)} current={current} />
      {rest.length === 0 ? null : (
        <details>
          <summary>{grouped(rest.length)} older</summary>
          <Rows kept={rest} current={current} />
        </details>
      )}
      <p class="quiet">
        <code>npx offprint rollback &lt;generation&gt;</code> goes back to one.
      </p>
    </>
  );
}

function Rows({ kept, current }: KeptProperties) {
  return (
    <Table
      caption="Kept generations, newest first"
      head={["Generation", "Committed (UTC)", "Stories", "Compare"]}
      rows={kept.map(({ generation, committedAt, stories }) => [
        String(generation),
        <time datetime={committedAt}>{shortDate(committedAt)}</time>,
        changesText(stories),
        generation === current ? (
          "the newest"
        ) : (
          <a href={address("compare", { from: generation, to: current })}>what changed since {generation}</a>
        ),
      ])}
    />
  );
}

/** `8 changed (8 moved), 1 removed` */
function changesText(stories: KeptGeneration["stories"]): string {
  if (stories === null) return "–";
  const { added, changed, moved, removed } = stories;
  const ofChanged = Math.min(moved, changed);
  const counts = [
    added > 0 && `${grouped(added)} added`,
    changed > 0 && `${grouped(changed)} changed${ofChanged > 0 ? ` (${grouped(ofChanged)} moved)` : ""}`,
    removed > 0 && `${grouped(removed)} removed`,
  ];
  return counts.filter(Boolean).join(", ") || "none changed";
}

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

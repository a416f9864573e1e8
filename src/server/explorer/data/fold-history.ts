import type { StoryState } from "./generations.js";

/** Generations in a row that have the same record, newest first. */
export type FoldedStates = readonly [StoryState, ...StoryState[]];

/** A history, newest first, in which neighbours without a change are together. */
export function foldHistory(history: readonly StoryState[]): FoldedStates[] {
  const folded: [StoryState, ...StoryState[]][] = [];
  for (const state of history) {
    const last = folded.at(-1);
    const isSame = state.change === "same" || state.change === "absent";
    if (isSame && last?.[0].change === state.change) last.push(state);
    else folded.push([state]);
  }
  return folded;
}

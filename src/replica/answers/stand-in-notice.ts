import type { GenerationView } from "../generation-view.js";

/** Called whenever an edition stands in for one that the generation lacks. */
export type StandInNotice = (view: GenerationView, asked: string, answered: string) => void;

/** Number of names that are remembered of one generation: they come from requests, and there is no end of them. */
const remembered = 1000;

/** Returns a function that calls `onStandIn` once for each generation and edition that was asked for. */
export function createStandInNotice(onStandIn: ((asked: string, answered: string) => void) | undefined): StandInNotice {
  const noticed = new WeakMap<GenerationView, Set<string>>();
  return (view, asked, answered) => {
    const known = noticed.get(view) ?? new Set();
    noticed.set(view, known);
    if (known.has(asked) || known.size > remembered) return;
    known.add(asked);
    onStandIn?.(asked, answered);
  };
}

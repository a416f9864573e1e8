import type { GenerationView } from "../generation-view.js";

/** Called whenever an edition stands in for one that the generation lacks. */
export type StandInNotice = (view: GenerationView, asked: string, answered: string) => void;

/** Editions of one generation that are remembered: names come from requests. */
const remembered = 1000;

/** Passes each edition that was asked for on once a generation. */
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

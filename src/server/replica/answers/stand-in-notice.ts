import type { GenerationView } from "../generation-view.js";

/** Called whenever a request asks for an edition that the generation lacks, and another one answers it (stands in). */
export type StandInNotice = (view: GenerationView, asked: string, answered: string) => void;

/** Number of names that are remembered of one generation: they come from requests, and there is no end of them. */
const rememberedNames = 1000;

/** Returns a function that calls `onStandIn` once for each generation and edition that was asked for. */
export function createStandInNotice(onStandIn: ((asked: string, answered: string) => void) | undefined): StandInNotice {
  const noticed = new WeakMap<GenerationView, Set<string>>();
  return (view, asked, answered) => {
    const known = noticed.get(view) ?? new Set();
    noticed.set(view, known);
    if (known.has(asked) || known.size >= rememberedNames) return;
    known.add(asked);
    onStandIn?.(asked, answered);
  };
}

import { longestLagMs } from "../support/model-space/lags.js";
import type { SpaceState } from "../support/model-space/space-state.js";
import type { HistoryRun } from "./history.js";
import { expectedLines, isBlindSpot, wantedStories } from "./oracle.js";
import type { ReadSnapshot } from "./snapshot-lines.js";

/** From one cv to another, both in seconds since the epoch. */
export interface Interval {
  from: number;
  to: number;
}

/** The interval of an edition; undefined if it has another level. */
export function intervalOf(edition: object): Interval | undefined {
  if (!("interval" in edition) || typeof edition.interval !== "object" || edition.interval === null) return undefined;
  const { interval } = edition;
  if (!("from" in interval) || typeof interval.from !== "number") return undefined;
  return "to" in interval && typeof interval.to === "number" ? { from: interval.from, to: interval.to } : undefined;
}

/**
 * The faults of editions with level `interval`, and of the parts read with them: a record that the
 * space never served in the interval, a missing one that was there throughout, or one that was
 * deleted before. The interval begins when its `from` was current, and ends now.
 */
export function intervalFaults(run: HistoryRun, { manifest, lines }: ReadSnapshot, beside: boolean): string[] {
  const { space } = run;
  return manifest.editions.flatMap((edition) => {
    const interval = intervalOf(edition);
    if (interval === undefined) return [];
    const since = space.moments.find(({ cv }) => cv >= interval.from)?.fromMs;
    if (since === undefined) return [`${edition.name}: cv ${interval.from} was never current`];
    const states = space.statesSince(since - longestLagMs(space.dialect.lags));
    const names = manifest.editions.map(({ name }) => name);
    const expected = states.map((state) => ({ state, lines: expectedLines(run, state, names) }));
    const others = new Set(manifest.editions.flatMap((other) => (other === edition ? [] : [`stories/${other.name}`])));
    const parts = new Set(expected.flatMap(({ lines: of }) => [...of.keys()].filter((part) => !others.has(part))));
    return [...parts].flatMap((part) => {
      // Without a links listing, its lines were made from the stories.
      if (part.startsWith("links/") && edition.index === "stories") return [];
      if (isKeyed(part)) return keyedFaults(part);
      return beside ? unkeyedFaults(part) : [];
    });

    function keyedFaults(part: string): string[] {
      const found = lines.get(part) ?? new Map<string, string>();
      const keys = new Set([
        ...found.keys(),
        ...expected.flatMap(({ lines: of }) => [...(of.get(part)?.keys() ?? [])]),
      ]);
      return [...keys].flatMap((key) => {
        const served = expected.map(({ lines: of }) => of.get(part)?.get(key));
        const line = found.get(key);
        // A reading of two moments may name stories that no single moment names, or that no story
        // names any more.
        const of = states.map((state) => wantedStories(run, state, edition.version, names));
        if (of.some((wanted) => wanted?.included.has(key) === false)) return [];
        if (line === undefined) return served.includes(undefined) ? [] : [`${part} ${key} was there throughout`];
        if (served.includes(line) || isBlind(part, key, line, states)) return [];
        const gone = served.every((text) => text === undefined);
        return [`${part} ${key} ${gone ? "was gone before" : `was never served: ${line}\n    but ${served.at(-1)}`}`];
      });
    }

    function unkeyedFaults(part: string): string[] {
      const served = new Set(expected.flatMap(({ lines: of }) => [...(of.get(part)?.values() ?? [])]));
      return [...(lines.get(part)?.values() ?? [])].flatMap((line) =>
        served.has(line) ? [] : [`${part} was never served: ${line}`],
      );
    }
  });

  function isBlind(part: string, key: string, found: string, states: readonly SpaceState[]): boolean {
    return states.some((state) => isBlindSpot(space, { part, key, expected: undefined, found }, state, null));
  }
}

function isKeyed(part: string): boolean {
  return part.startsWith("stories/") || part.startsWith("links/");
}

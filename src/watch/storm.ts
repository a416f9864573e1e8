import type { ContentEvent } from "./content-event.js";

export interface EventList {
  names: readonly string[];
  count: number;
  movesCv: boolean;
  /** The first event that cv may not show; undefined: none. */
  beyondCv: string | undefined;
}

/** Events in quick succession, which cause one sync. Times are a clock's `elapsed`. */
export interface Storm {
  events: EventList;
  firstMs: number;
  lastMs: number;
  cvBefore: number | null;
}

/** A storm ends after this long without an event, in milliseconds. */
const quietMs = 2000;
/** A storm ends after this long even if events keep arriving, in milliseconds. */
const longestStormMs = 15_000;
const namesKept = 5;

export function joinStorm(storm: Storm | undefined, event: ContentEvent, nowMs: number, cv: number | null): Storm {
  const { name, movesCv } = event;
  const events = { names: [name], count: 1, movesCv, beyondCv: movesCv ? undefined : name };
  if (storm === undefined) return { events, firstMs: nowMs, lastMs: nowMs, cvBefore: cv };
  return { ...storm, events: joinEvents(storm.events, events), lastMs: nowMs };
}

export function stormEndMs({ firstMs, lastMs }: Storm): number {
  return Math.min(lastMs + quietMs, firstMs + longestStormMs);
}

export function joinEvents(a: EventList, b: EventList): EventList {
  return {
    names: [...new Set([...a.names, ...b.names])].slice(0, namesKept),
    count: a.count + b.count,
    movesCv: a.movesCv || b.movesCv,
    beyondCv: a.beyondCv ?? b.beyondCv,
  };
}

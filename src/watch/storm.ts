import type { ContentEvent } from "./content-event.js";

/** Events that are acted upon together. */
export interface EventList {
  /** The names of the first few different ones. */
  names: readonly string[];
  /** How many there are. */
  count: number;
  /** Whether cv has to move for one of them. */
  movesCv: boolean;
  /** The first one that cv may not show; undefined: there is none. */
  beyondCv: string | undefined;
}

/** Events that come one soon after the other; a space is asked once for all of them. Times as a clock's `elapsed`. */
export interface Storm {
  events: EventList;
  firstMs: number;
  lastMs: number;
  /** The cv that was confirmed when the first one came; null: none. */
  cvBefore: number | null;
}

/** A storm is over when no event has come for so long, in milliseconds. */
const quietMs = 2000;
/** A storm is over when it has lasted so long, in milliseconds, even if events go on coming. */
const longestStormMs = 15_000;
const namesKept = 5;

/** The storm with one more event. @param cv what is confirmed now */
export function joinStorm(storm: Storm | undefined, event: ContentEvent, nowMs: number, cv: number | null): Storm {
  const { name, movesCv } = event;
  const events = { names: [name], count: 1, movesCv, beyondCv: movesCv ? undefined : name };
  if (storm === undefined) return { events, firstMs: nowMs, lastMs: nowMs, cvBefore: cv };
  return { ...storm, events: joinEvents(storm.events, events), lastMs: nowMs };
}

/** When the storm is over, if nothing more comes. */
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

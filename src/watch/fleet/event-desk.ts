import type { ContentEvent } from "../content-event.js";
import { joinStorm, type Storm } from "../storm.js";
import type { WatchClock } from "../watch-clock.js";
import { announcedText, announceStorm, dueAtMs, jobMomentMs, parseAnnounced } from "./announced.js";
import type { FleetQueue } from "./open-queue.js";
import { type ServerClock, updateValue } from "./shared-values.js";
import type { SpaceJob } from "./space-job.js";

export interface EventDeskOptions {
  queue: Pick<FleetQueue, "add" | "values">;
  clock: WatchClock;
  /** That of the values. */
  server: ServerClock;
  /** The cv that a space was confirmed at; null: none. */
  confirmedCv(space: string): Promise<number | null>;
}

/** Takes events of the spaces, keeps them where all workers see them, and adds the jobs that are due for them. */
export interface EventDesk {
  /** Takes an event; returns at once. */
  announce(space: string, event: ContentEvent): void;
  /** Does so until the signal. */
  run(signal: AbortSignal): Promise<void>;
}

/** How often it is looked for what is due, in milliseconds. */
const lookEveryMs = 1000;

export function createEventDesk({ queue, clock, server, confirmedCv }: EventDeskOptions): EventDesk {
  const { values } = queue;
  /** Events that no other worker knows of yet. Times are `elapsed` of the clock. */
  const taken = new Map<string, Storm>();
  let woken = new AbortController();

  /** Hands the events over. Those that come meanwhile form the next storm, which the server joins to this one. */
  async function keep(): Promise<void> {
    for (const [space, storm] of taken) {
      taken.delete(space);
      try {
        const cvBefore = await confirmedCv(space);
        await updateValue(values, { group: "events", key: space }, (text, nowMs) => {
          const agoMs = nowMs - clock.elapsed();
          const times = { firstMs: storm.firstMs + agoMs, lastMs: storm.lastMs + agoMs };
          const after = announcedText(announceStorm(parseAnnounced(text), { ...storm, ...times, cvBefore }));
          return { after, result: undefined };
        });
      } catch (error) {
        const later = taken.get(space);
        taken.set(space, later === undefined ? storm : joined(storm, later));
        throw error;
      }
    }
  }

  async function addDue(): Promise<void> {
    const nowMs = server.now();
    const jobs: SpaceJob[] = [];
    for (const [space, text] of await values.list("events")) {
      const announced = parseAnnounced(text);
      const dueMs = announced === undefined ? Number.POSITIVE_INFINITY : dueAtMs(announced);
      if (dueMs <= nowMs) jobs.push({ space, kind: "event", atMs: jobMomentMs(dueMs, nowMs) });
    }
    if (jobs.length > 0) await queue.add(jobs);
  }

  return {
    announce(space, event) {
      taken.set(space, joinStorm(taken.get(space), event, clock.elapsed(), null));
      woken.abort();
    },
    async run(signal) {
      const wake = () => woken.abort();
      signal.addEventListener("abort", wake);
      while (!signal.aborted) {
        try {
          await keep();
          await addDue();
        } catch {
          // The server is gone, which others tell; the events wait here until it is back.
        }
        await clock.sleep(lookEveryMs, woken.signal);
        if (woken.signal.aborted) woken = new AbortController();
      }
      signal.removeEventListener("abort", wake);
    },
  };
}

/** Two storms as one. */
function joined(earlier: Storm, later: Storm): Storm {
  const { storm } = announceStorm({ storm: earlier }, later);
  return storm ?? later;
}

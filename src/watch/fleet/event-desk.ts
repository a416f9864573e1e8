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
  server: ServerClock;
  /** Whether this worker has the space. Those that have it add its jobs. */
  knows(space: string): boolean;
  confirmedCv(space: string): Promise<number | null>;
}

export type EventDesk = ReturnType<typeof createEventDesk>;

const lookEveryMs = 1000;

/** Receives events, shares them with all workers, and adds the jobs that are due for them. */
export function createEventDesk({ queue, clock, server, knows, confirmedCv }: EventDeskOptions) {
  const { values } = queue;
  /** Events that this worker has not shared yet. Times are the clock's `elapsed`. */
  const taken = new Map<string, Storm>();
  let woken = new AbortController();

  /** Shares the events. Later ones form the next storm, which the server joins to this one. */
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
        taken.set(space, later === undefined ? storm : announceStorm({ storm }, later).storm);
        throw error;
      }
    }
  }

  async function addDue(): Promise<void> {
    const nowMs = server.now();
    const jobs: SpaceJob[] = [];
    for (const [space, text] of await values.list("events")) {
      const announced = knows(space) ? parseAnnounced(text) : undefined;
      const dueMs = announced === undefined ? Number.POSITIVE_INFINITY : dueAtMs(announced);
      if (dueMs <= nowMs) jobs.push({ space, kind: "event", atMs: jobMomentMs(dueMs, nowMs) });
    }
    if (jobs.length > 0) await queue.add(jobs);
  }

  return {
    announce(space: string, event: ContentEvent): void {
      taken.set(space, joinStorm(taken.get(space), event, clock.elapsed(), null));
      woken.abort();
    },
    async run(signal: AbortSignal): Promise<void> {
      const wake = () => woken.abort();
      signal.addEventListener("abort", wake);
      while (!signal.aborted) {
        try {
          await keep();
          await addDue();
        } catch {
          // The server is unreachable, which others report. The events wait here until it is back.
        }
        await clock.sleep(lookEveryMs, woken.signal);
        if (woken.signal.aborted) woken = new AbortController();
      }
      signal.removeEventListener("abort", wake);
    },
  };
}

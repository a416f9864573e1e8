import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Fleet, SpaceConfig, WorkerSetting } from "../config/load/fleet.js";
import { OffprintError } from "../lib/errors.js";
import { duration, plural } from "../lib/quantity-text.js";
import { openOutput } from "../snapshot/open-output.js";
import { type FleetSpace, FleetWorker } from "../watch/fleet/fleet-worker.js";
import { openQueue } from "../watch/fleet/open-queue.js";
import { sharedRate } from "../watch/fleet/shared-rate.js";
import type { FleetNotice } from "../watch/fleet/signs-of-life.js";
import { turnsOf } from "../watch/next-turn.js";
import { systemClock } from "../watch/watch-clock.js";
import { listenAddress } from "./argument-values.js";
import type { CommandContext } from "./context.js";
import type { LogEntry } from "./log-record.js";
import { openSession } from "./space-session.js";
import { keptOutputs, openTelling, printStart, spaceToSync, type WatchFlags } from "./watch.js";

/** `offprint worker`: syncs a fleet together with workers on other machines, until a signal. */
export async function runWorker(context: CommandContext, flags: WatchFlags): Promise<number> {
  const { signal } = context;
  // Until it follows the configuration, the signal would end the process.
  context.onHangup(() => undefined);
  const address = flags.listen === undefined ? undefined : listenAddress(flags.listen);
  if (context.flags.space !== undefined) {
    throw new OffprintError("USAGE", "A worker works for all spaces of the file: --space does not apply to it.", {
      hint: "Give the other spaces a file of their own, with another worker.name.",
    });
  }
  const fleet = await context.spaces();
  const { spaces } = fleet;
  const setting = queueSetting(fleet);
  const [host, pid] = [hostname(), process.pid];
  const queue = await openQueue({ setting, spaces: spaces.length });
  try {
    const telling = await openTelling(context, spaces, flags);
    const { contextOf, status, emit } = telling;
    status.noteQueue({});
    const paceOf = sharedRate({ values: queue.values, now: systemClock.now });
    const outputOf = keptOutputs((config) => openOutput(config.output));
    const fleetSpace = (space: SpaceConfig): FleetSpace => {
      const { name, config } = space;
      const own = contextOf(name);
      const output = outputOf(space);
      return {
        ...spaceToSync({ context: own, emit }, space, output),
        place: output,
        // The same on every machine, regardless of its output folder.
        turns: turnsOf(config.schedule, name),
        openSession: () => openSession(own, space, output, paceOf(config.source.token, config.source.url)),
      };
    };
    await telling.during(address, fleet, (url) => {
      const what = `Working for ${plural(spaces.length, "space")}, ${setting.concurrency} at once`;
      const text = `${what}, with the queue ${setting.name} at ${queue.shown}.`;
      printStart(context, spaces, url, text, { queue: queue.shown });
      const worker = new FleetWorker({
        spaces: spaces.map(fleetSpace),
        queue,
        identity: { id: `${host}:${pid}:${randomBytes(4).toString("hex")}`, host, pid },
        concurrency: setting.concurrency,
        takeOverMs: setting.takeOverMs,
        clock: systemClock,
        emit,
        notice(notice) {
          if (notice.kind === "queue-lost") status.noteQueue({ goneSinceMs: notice.atMs });
          if (notice.kind === "queue-back") status.noteQueue({ goneSinceMs: undefined });
          printNotice(context, notice);
        },
        freshnessOf: status.freshnessOf,
        learn: (runs) => {
          for (const { space, freshness, atMs } of runs) status.learn(space, freshness, atMs);
        },
        count: (told) => status.noteQueue({ told }),
        signal,
      });
      return {
        announce: (name, event) => worker.events.announce(name, event),
        spaceId: (name) => worker.spaceIds.get(name) ?? null,
        done: worker.done,
        change: async ({ put, ended }) => worker.change({ put: put.map(fleetSpace), ended }),
      };
    });
    return 0;
  } finally {
    await queue.close();
  }
}

function queueSetting({ worker }: Fleet): WorkerSetting & { queue: string } {
  if (worker?.queue !== undefined) return { ...worker, queue: worker.queue };
  const what = worker === undefined ? "worker.queue is missing" : "a variable of worker.queue is not set";
  throw new OffprintError("CONFIG_INVALID", `The address of the queue is not known: ${what}.`, {
    hint: "Write worker: { queue: redis://host:6379 } in the configuration, or postgres://host/database. docs/worker.md explains it.",
  });
}

function printNotice({ terminal, flags }: CommandContext, notice: FleetNotice): void {
  if (flags.json) terminal.jsonLine(notice);
  if (terminal.log !== undefined) terminal.log(noticeEntry(notice));
  else if (flags.json) return;
  else if (notice.kind === "taken-over" || notice.kind === "queue-back") terminal.say(noticeText(notice));
  else terminal.warn(noticeText(notice));
}

function noticeEntry(notice: FleetNotice): LogEntry {
  const { kind, atMs } = notice;
  return {
    level: kind === "queue-back" || kind === "taken-over" ? "info" : "warn",
    atMs,
    space: "space" in notice ? notice.space : undefined,
    code: kind === "queue-lost" ? "WORKER_QUEUE_UNREACHABLE" : undefined,
    message: noticeText(notice),
  };
}

function noticeText(notice: FleetNotice): string {
  switch (notice.kind) {
    case "queue-lost":
      return `The queue is gone: ${notice.reason}. What is under way goes on; the rest waits until it is back.`;
    case "queue-back":
      return `The queue is back after ${duration(notice.lostMs)}.`;
    case "taken-over":
      return `${notice.space}: its worker is gone, the space waits for another one.`;
    case "unknown-space":
      return `The queue has a job of ${notice.space}, which is not in this configuration: workers of one name need the same file.`;
  }
}

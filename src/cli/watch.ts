import type { Config } from "../config/config.js";
import type { SpaceConfig } from "../config/load/fleet.js";
import { durationText } from "../config/schema/quantity.js";
import { isOffprintError } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import type { Output } from "../snapshot/output.js";
import { readKnownSpace } from "../sync/known-space.js";
import type { SpaceSession } from "../sync/space-session.js";
import type { ContentEvent } from "../watch/content-event.js";
import type { FleetWorker } from "../watch/fleet/fleet-worker.js";
import { hasOutstanding } from "../watch/hooks/consumer.js";
import { takesEvents } from "../watch/http/take-webhook.js";
import { startWatchServer } from "../watch/http/watch-server.js";
import { defaultEveryMs, turnsOf } from "../watch/next-turn.js";
import { type TracedSync, tracedSync } from "../watch/telemetry/trace-sync.js";
import { onceAborted, systemClock } from "../watch/watch-clock.js";
import type { WatchEvent } from "../watch/watch-event.js";
import type { WatchedSpace } from "../watch/watch-space.js";
import { watchSpaces } from "../watch/watch-spaces.js";
import { handOverToConsumers } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { debugged } from "./debug-progress.js";
import { syncExitCause } from "./exit-cause.js";
import { spaceContext } from "./for-each-space.js";
import { listenAddress } from "./listen-address.js";
import { type NotedOutput, openNotedOutput } from "./noted-output.js";
import { printProblems } from "./report-failure.js";
import { openSession } from "./space-session.js";
import type { StatusFileFlags } from "./sync-status.js";
import { openWatchStatus, type WatchStatus } from "./watch-status.js";
import { eventDocument, eventPrinter } from "./watch-text.js";

export interface WatchFlags extends StatusFileFlags {
  listen?: string;
}

/** `offprint watch`: keeps spaces fresh until a signal. */
export async function runWatch(context: CommandContext, flags: WatchFlags): Promise<number> {
  const { signal } = context;
  const address = flags.listen === undefined ? undefined : listenAddress(flags.listen);
  const { spaces, concurrency } = await context.spaces();
  const inBucket = spaces.filter(({ config }) => config.output.store !== undefined).map(({ name }) => name);
  const telling = await openTelling(context, spaces, flags, inBucket);
  const { contexts, status, emit } = telling;
  const outputs = spaces.map(({ config }) => openNotedOutput(context, config));
  const sessions = spaces.map((space, index) => openSession(contexts.get(space.name)!, space, outputs[index]!.output));
  const watched = await Promise.all(
    spaces.map((space, index) =>
      watchedSpace({ context: contexts.get(space.name)!, status, emit }, space, {
        noted: outputs[index]!,
        session: sessions[index]!,
      }),
    ),
  );
  try {
    await telling.during(address, (url) => {
      printStart(context, spaces, url);
      const watch = watchSpaces({ spaces: watched, clock: systemClock, concurrency, emit, signal });
      return {
        announce: (name, event) => watch.spaces.get(name)?.announce(event),
        spaceId: (name) => watch.spaces.get(name)?.spaceId() ?? null,
        done: watch.done,
      };
    });
    return 0;
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

/**
 * Reports the state of spaces in lines, in files and over HTTP. Its server also receives their events.
 * @param inBucket spaces that this process syncs once it has their lease
 */
export async function openTelling(
  context: CommandContext,
  spaces: readonly SpaceConfig[],
  flags: WatchFlags,
  inBucket: readonly string[] = [],
) {
  const { terminal, signal } = context;
  const contexts = contextsOf(context, spaces);
  const print = eventPrinter((space) => contexts.get(space) ?? context);
  const status = await openWatchStatus(context, spaces, flags, inBucket);
  const emit = (event: WatchEvent): void => {
    status.note(event);
    if (context.flags.json) terminal.jsonLine(eventDocument(event));
    else print(event);
  };

  /** Reports until the work is done. @param start begins it, once the server listens at the URL */
  async function during(
    address: ReturnType<typeof listenAddress> | undefined,
    start: (url: string | undefined) => FleetWorker,
  ): Promise<void> {
    let work: FleetWorker | undefined;
    const targets = spaces.map(({ name, config: { webhooks } }) => ({
      name,
      webhooks,
      spaceId: () => work?.spaceId(name) ?? null,
      announce: (event: ContentEvent) => work?.announce(name, event),
    }));
    const server =
      address && (await startWatchServer({ ...address, targets, pages: status.pages, emit, now: systemClock.now }));
    try {
      work = start(server?.url);
      const closed = onceAborted(signal).then(() => server?.close());
      await work.done;
      await closed;
      await status.written();
      terminal.say("Stopped.");
    } finally {
      await server?.close();
    }
  }
  return { contexts, status, emit, during };
}

interface Surroundings {
  context: CommandContext;
  status: Pick<WatchStatus, "learn">;
  emit(event: WatchEvent): void;
}

async function watchedSpace(
  { context, status, emit }: Surroundings,
  { name, config }: SpaceConfig,
  { noted, session }: { noted: NotedOutput; session: SpaceSession },
): Promise<WatchedSpace> {
  const { output } = noted;
  const about = spaceToSync({ context, emit }, { name, config }, output);
  // Folders have the same name on many machines, so the space's number identifies them.
  const { spaceId } = await about.readKnown();
  return {
    ...about,
    standBy:
      output.standBy && ((options) => output.standBy!({ ...options, onState: (state) => status.learn(name, state) })),
    session: tracedSession(name, context, {
      ...session,
      sync: (run) => noted.noting(() => session.sync(run)),
    }),
    turns: turnsOf(config.schedule, `${name} ${spaceId ?? ""}`),
  };
}

export function spaceToSync(
  { context, emit }: Pick<Surroundings, "context" | "emit">,
  { name, config }: Pick<SpaceConfig, "name" | "config">,
  output: Output,
): Omit<WatchedSpace, "session" | "turns" | "standBy"> {
  return {
    name,
    readKnown: () => readKnownSpace(output),
    close: output.close && (() => output.close!()),
    exitCodeOf: (report) => syncExitCause(report, config)?.exitCode ?? 0,
    hasOutstanding: () => hasOutstanding(config),
    handOver: (signal) => handOver({ ...context, signal }, { name, config }, emit),
  };
}

export function tracedSession(space: string, context: CommandContext, session: SpaceSession): SpaceSession {
  return {
    ...session,
    sync: (options) => {
      const run: TracedSync["run"] = (onProgress) => session.sync({ ...options, onProgress });
      return tracedSync({
        space,
        version: context.version,
        onProgress: debugged(options?.onProgress ?? (() => {}), context),
        run,
      });
    },
  };
}

/** Milliseconds for a command of `onCommit` when the process stops: less than an aborted run has. */
const stopGraceMs = 3000;

/** Runs the commands of `onCommit` for the changes. Reports failures: the next run retries them. */
async function handOver(
  context: CommandContext,
  { name: space, config }: Pick<SpaceConfig, "name" | "config">,
  emit: (event: WatchEvent) => void,
): Promise<void> {
  try {
    for (const { consumer, from, to, result, durationMs } of await handOverToConsumers(context, config, {
      space,
      stopGraceMs,
    })) {
      if (result === "nothing" || result === "busy") continue;
      emit({ kind: "hook", space, atMs: systemClock.now(), consumer, from, to, result, durationMs });
    }
  } catch (error) {
    if (context.signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    const problem = isOffprintError(error) ? error.toProblem() : { code: "UNEXPECTED" as const, message, hint: "" };
    printProblems(context, [problem], "red");
  }
}

function printStart(
  { terminal, flags }: CommandContext,
  spaces: readonly SpaceConfig[],
  url: string | undefined,
): void {
  const names = spaces.map(({ name }) => name);
  const [first, ...others] = new Set(spaces.map(({ config }) => scheduleText(config.schedule)));
  const when = first === undefined || others.length > 0 ? "by their schedules" : first;
  terminal.say(
    spaces.length === 1
      ? `Watching ${names[0]}, ${when}.`
      : `Watching ${plural(spaces.length, "space")}, ${when}: ${names.join(", ")}.`,
  );
  if (url !== undefined) {
    for (const line of addressLines(spaces, url)) terminal.say(`  ${line}`);
  }
  terminal.say("Stop it with Ctrl-C.");
  if (flags.json) terminal.jsonLine({ kind: "started", spaces: names, url: url ?? null });
}

export function addressLines(spaces: readonly SpaceConfig[], url: string): string[] {
  return [
    `Health and metrics: ${url}/healthz, ${url}/readyz, ${url}/fresh, ${url}/metrics`,
    ...webhookLines(spaces, url),
  ];
}

function webhookLines(spaces: readonly SpaceConfig[], url: string): string[] {
  const taking = spaces.filter(({ config }) => takesEvents(config.webhooks));
  const others = spaces.filter((space) => !taking.includes(space)).map(({ name }) => name);
  return [
    ...taking.map(
      ({ name, config: { webhooks } }) =>
        `Webhooks of ${name}: ${url}/hooks/${name}${webhooks.key === undefined ? "" : "/<webhooks.key>"}`,
    ),
    ...(others.length === 0
      ? []
      : [`No webhooks are taken for ${others.join(", ")}: neither webhooks.secret nor webhooks.key is set.`]),
  ];
}

/** `every 5m`, `at 13 * * * * (Europe/Vienna)` */
function scheduleText({ everyMs = defaultEveryMs, cron, timeZone = "UTC" }: Config["schedule"]): string {
  return cron === undefined ? `every ${durationText(everyMs)}` : `at ${cron} (${timeZone})`;
}

function contextsOf(
  context: CommandContext,
  spaces: readonly SpaceConfig[],
): ReadonlyMap<string | undefined, CommandContext> {
  const width = Math.max(...spaces.map(({ name }) => name.length));
  return new Map(spaces.map(({ name }) => [name, spaces.length === 1 ? context : spaceContext(context, name, width)]));
}

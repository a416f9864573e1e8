import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config/config.js";
import type { Fleet, SpaceConfig } from "../config/load/fleet.js";
import { durationText } from "../config/schema/quantity.js";
import { isOffprintError, messageOf } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import type { Output } from "../snapshot/output.js";
import { readKnownSpace } from "../sync/known-space.js";
import type { SpaceSession } from "../sync/space-session.js";
import type { ContentEvent } from "../watch/content-event.js";
import { hasOutstanding } from "../watch/hooks/consumer.js";
import { takesEvents } from "../watch/http/take-webhook.js";
import { startWatchServer } from "../watch/http/watch-server.js";
import { defaultEveryMs, turnsOf } from "../watch/next-turn.js";
import { parkedNote } from "../watch/parking.js";
import { onceAborted, systemClock } from "../watch/watch-clock.js";
import type { RunEnded, WatchEvent } from "../watch/watch-event.js";
import type { WatchedSpace } from "../watch/watch-space.js";
import { type ChangedSpaces, watchSpaces } from "../watch/watch-spaces.js";
import { listenAddress } from "./argument-values.js";
import { handOverToConsumers } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { syncExitCause } from "./exit-cause.js";
import { followConfiguration } from "./follow-configuration.js";
import { spaceContext } from "./for-each-space.js";
import { openStatus, type Status, type StatusFileFlags } from "./open-status.js";
import { printProblems } from "./report-failure.js";
import { type NotedOutput, openNotedOutput, openSession } from "./space-session.js";
import { eventDocument, eventPrinter, logEntries } from "./watch-text.js";

export interface WatchFlags extends StatusFileFlags {
  listen?: string;
}

/** `offprint watch`: keeps spaces fresh until a signal. */
export async function runWatch(context: CommandContext, flags: WatchFlags): Promise<number> {
  const { signal } = context;
  // Until it follows the configuration, the signal would end the process.
  context.onHangup(() => undefined);
  const address = flags.listen === undefined ? undefined : listenAddress(flags.listen);
  const fleet = await context.spaces();
  const { spaces, concurrency } = fleet;
  const telling = await openTelling(context, spaces, flags, true);
  const { contextOf, status, emit } = telling;
  const outputOf = keptOutputs((config) => openNotedOutput(context, config));
  const sessions = new Set<SpaceSession>();
  const open = (space: SpaceConfig) => {
    const [own, noted] = [contextOf(space.name), outputOf(space)];
    const session = openSession(own, space, noted.output);
    sessions.add(session);
    const close = async () => {
      if (sessions.delete(session)) await session.close();
    };
    return watchedSpace({ context: own, status, emit }, space, { noted, session: { ...session, close } });
  };
  const watched = await Promise.all(spaces.map(open));
  try {
    await telling.during(address, fleet, (url) => {
      printStart(context, spaces, url, watchingText(spaces));
      const watch = watchSpaces({ spaces: watched, clock: systemClock, concurrency, emit, signal });
      return {
        announce: (name, event) => watch.spaces.get(name)?.announce(event),
        spaceId: (name) => watch.spaces.get(name)?.spaceId ?? null,
        done: watch.done,
        change: async ({ put, ended }) => watch.change({ put: await Promise.all(put.map(open)), ended }),
      };
    });
    return 0;
  } finally {
    await Promise.all([...sessions].map((session) => session.close()));
  }
}

/** Opens the output of each space, and keeps it while its settings stay: it may hold the right to write. */
export function keptOutputs<Opened>(open: (config: Config) => Opened): (space: SpaceConfig) => Opened {
  const kept = new Map<string, { setting: Config["output"]; opened: Opened }>();
  return ({ name, config }) => {
    const known = kept.get(name);
    if (known !== undefined && isDeepStrictEqual(known.setting, config.output)) return known.opened;
    const opened = open(config);
    kept.set(name, { setting: config.output, opened });
    return opened;
  };
}

/** The work of a process that stays. */
interface Work {
  announce(space: string, event: ContentEvent): void;
  spaceId(space: string): number | null;
  /** Goes on with other spaces, and touches no run under way. */
  change(changed: ChangedSpaces<SpaceConfig>): Promise<void>;
  /** Resolves when it has stopped. */
  done: Promise<void>;
}

/**
 * Reports the state of spaces in lines, in files and over HTTP. Its server also receives their events.
 * @param needsLease true if this process syncs a space of a bucket once it has the lease
 */
export async function openTelling(
  context: CommandContext,
  spaces: readonly SpaceConfig[],
  flags: WatchFlags,
  needsLease = false,
) {
  const { terminal, signal } = context;
  let contexts = contextsOf(context, spaces);
  const contextOf = (space: string | undefined) => contexts.get(space) ?? context;
  const print = eventPrinter(contextOf);
  const status = await openStatus(context, spaces, flags, needsLease);
  const emit = (event: WatchEvent): void => {
    status.note(event);
    if (context.flags.json) terminal.jsonLine(eventDocument(event));
    if (terminal.log !== undefined) logEntries(event).forEach(terminal.log);
    else if (!context.flags.json) print(event);
  };

  /** Reports until the work is done. @param start begins it, once the server listens at the URL */
  async function during(
    address: ReturnType<typeof listenAddress> | undefined,
    fleet: Fleet,
    start: (url: string | undefined) => Work,
  ): Promise<void> {
    let work: Work | undefined;
    const targetsOf = (of: readonly SpaceConfig[]) =>
      of.map(({ name, config: { webhooks } }) => ({
        name,
        webhooks,
        spaceId: () => work?.spaceId(name) ?? null,
        announce: (event: ContentEvent) => work?.announce(name, event),
      }));
    const targets = targetsOf(spaces);
    const server =
      address && (await startWatchServer({ ...address, targets, pages: status.pages, emit, now: systemClock.now }));
    try {
      work = start(server?.url);
      followConfiguration(context, fleet, async (next, { added, changed, removed }) => {
        contexts = contextsOf(context, next.spaces);
        await status.follow(next.spaces);
        await work?.change({ put: [...added, ...changed], ended: removed });
        server?.follow(targetsOf(next.spaces));
      });
      const closed = onceAborted(signal).then(() => server?.close());
      await work.done;
      await closed;
      await status.written();
      terminal.say("Stopped.");
    } finally {
      await server?.close();
    }
  }
  return { contextOf, status, emit, during };
}

interface Surroundings {
  context: CommandContext;
  status: Pick<Status, "learn">;
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
    place: output,
    parking: parkedNote(output.dir),
    standBy:
      output.standBy && ((options) => output.standBy!({ ...options, onState: (state) => status.learn(name, state) })),
    session: { ...session, sync: (run) => noted.noting(() => session.sync(run)) },
    turns: turnsOf(config.schedule, `${name} ${spaceId ?? ""}`),
  };
}

export function spaceToSync(
  { context, emit }: Pick<Surroundings, "context" | "emit">,
  { name, config }: Pick<SpaceConfig, "name" | "config">,
  output: Output,
): Omit<WatchedSpace, "session" | "turns" | "standBy" | "place" | "parking"> {
  const failing = new Set<string>();
  return {
    name,
    readKnown: () => readKnownSpace(output),
    close: output.close && (() => output.close!()),
    exitCodeOf: (report) => syncExitCause(report, config)?.exitCode ?? 0,
    hasOutstanding: () => hasOutstanding(config),
    handOver: (signal, after) => handOver({ ...context, signal }, { name, config }, { after, failing }, emit),
  };
}

/** Milliseconds for a command of `onCommit` when the process stops: less than an aborted run has. */
const stopGraceMs = 3000;

/**
 * Runs the commands of `onCommit` for the changes. Reports failures: a later run retries them.
 * @param failing the consumers whose command failed last, which it keeps
 */
async function handOver(
  context: CommandContext,
  { name: space, config }: Pick<SpaceConfig, "name" | "config">,
  { after: { run, outcome }, failing }: { after: RunEnded; failing: Set<string> },
  emit: (event: WatchEvent) => void,
): Promise<void> {
  const own = { ...context, terminal: context.terminal.ofRun(run) };
  try {
    for (const { consumer, from, to, result, failures, durationMs } of await handOverToConsumers(own, config, {
      space,
      stopGraceMs,
      // A new generation has new changes. And this process tries each command once with these settings.
      waits: (consumer) => outcome !== "committed" && failing.has(consumer),
    })) {
      if (result === "busy" || (result === "nothing" && !failing.has(consumer))) continue;
      if (failures === undefined) failing.delete(consumer);
      else failing.add(consumer);
      emit({ kind: "hook", space, atMs: systemClock.now(), run, consumer, from, to, result, failures, durationMs });
    }
  } catch (error) {
    if (context.signal.aborted) return;
    const unexpected = { code: "UNEXPECTED" as const, message: messageOf(error), hint: "" };
    const problem = isOffprintError(error) ? error.toProblem() : unexpected;
    printProblems(own, [problem], "red");
  }
}

function watchingText(spaces: readonly SpaceConfig[]): string {
  const names = spaces.map(({ name }) => name);
  const [first, ...others] = new Set(spaces.map(({ config }) => scheduleText(config.schedule)));
  const when = first === undefined || others.length > 0 ? "by their schedules" : first;
  return spaces.length === 1
    ? `Watching ${names[0]}, ${when}.`
    : `Watching ${plural(spaces.length, "space")}, ${when}: ${names.join(", ")}.`;
}

/** @param url of its server, if it has one @param told further members of the JSON line */
export function printStart(
  { terminal, flags }: CommandContext,
  spaces: readonly SpaceConfig[],
  url: string | undefined,
  text: string,
  told: object = {},
): void {
  terminal.say(text);
  if (url !== undefined) for (const line of addressLines(spaces, url)) terminal.say(`  ${line}`);
  terminal.say("Stop it with Ctrl-C.");
  const names = spaces.map(({ name }) => name);
  if (flags.json) terminal.jsonLine({ kind: "started", spaces: names, ...told, url: url ?? null });
}

function addressLines(spaces: readonly SpaceConfig[], url: string): string[] {
  const taking = spaces.filter(({ config }) => takesEvents(config.webhooks));
  const others = spaces.filter((space) => !taking.includes(space)).map(({ name }) => name);
  return [
    `Health and metrics: ${url}/healthz, ${url}/readyz, ${url}/fresh, ${url}/metrics`,
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

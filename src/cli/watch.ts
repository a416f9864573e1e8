import { once } from "node:events";
import type { SpaceConfig } from "../config/fleet.js";
import { isOffprintError } from "../errors.js";
import { openOutput } from "../snapshot/open-output.js";
import { readKnownSpace } from "../sync/known-space.js";
import type { SpaceSession } from "../sync/space-session.js";
import { takesEvents } from "../watch/http/take-webhook.js";
import { startWatchServer, type WatchServer } from "../watch/http/watch-server.js";
import { turnsOf } from "../watch/next-turn.js";
import { type TracedSync, tracedSync } from "../watch/trace-sync.js";
import { systemClock } from "../watch/watch-clock.js";
import type { WatchEvent } from "../watch/watch-event.js";
import type { WatchedSpace } from "../watch/watch-space.js";
import { type SpacesWatch, watchSpaces } from "../watch/watch-spaces.js";
import { handOverToConsumers } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { listenAddress } from "./listen-address.js";
import { plural } from "./quantity-text.js";
import { printProblems } from "./report-failure.js";
import { openSession } from "./space-session.js";
import { exitCodeOf } from "./sync.js";
import type { StatusFileFlags } from "./sync-status.js";
import { openWatchStatus } from "./watch-status.js";
import { printEvent } from "./watch-text.js";

/** The flags of `offprint watch`, as commander gives them. */
export interface WatchFlags extends StatusFileFlags {
  listen?: string;
  /** Of this program. */
  version: string;
}

/** `offprint watch`: keeps spaces fresh until a signal comes. */
export async function runWatch(context: CommandContext, flags: WatchFlags): Promise<number> {
  const { terminal, signal } = context;
  const address = flags.listen === undefined ? undefined : listenAddress(flags.listen);
  const { spaces, concurrency } = await context.spaces();
  const status = await openWatchStatus(context, spaces, flags);
  const emit = (event: WatchEvent): void => {
    status.note(event);
    if (context.flags.json) terminal.jsonLine(event);
    else printEvent(context, event);
  };
  const sessions = spaces.map((space) => openSession(context, space));
  const watched = await Promise.all(
    spaces.map((space, index) => watchedSpace({ context, flags, emit }, space, sessions[index]!)),
  );
  let watch: SpacesWatch | undefined;
  let server: WatchServer | undefined;
  try {
    server =
      address &&
      (await startWatchServer({
        ...address,
        targets: spaces.map(({ name, config: { webhooks } }) => ({
          name,
          webhooks,
          spaceId: () => watch?.spaces.get(name)?.spaceId() ?? null,
          announce: (event) => watch?.spaces.get(name)?.announce(event),
        })),
        pages: status.pages,
        emit,
        now: systemClock.now,
      }));
    printStart(context, spaces, server?.url);
    watch = watchSpaces({ spaces: watched, clock: systemClock, concurrency, emit, signal });
    const closed = onceAborted(signal).then(() => server?.close());
    await watch.done;
    await closed;
    await status.written();
    terminal.say("Stopped.");
    return 0;
  } finally {
    await server?.close();
    await Promise.all(sessions.map((session) => session.close()));
  }
}

interface Surroundings {
  context: CommandContext;
  flags: WatchFlags;
  emit(event: WatchEvent): void;
}

async function watchedSpace(
  { context, flags: { version }, emit }: Surroundings,
  { name, config }: SpaceConfig,
  session: SpaceSession,
): Promise<WatchedSpace> {
  const output = openOutput(config.output);
  const readKnown = () => readKnownSpace(output);
  // Folders have the same name on many machines: the number of the space tells them apart.
  const { spaceId } = await readKnown();
  return {
    name,
    session: {
      probe: (signal) => session.probe(signal),
      sync: (options) => {
        const run: TracedSync["run"] = (onProgress) => session.sync({ ...options, onProgress });
        return tracedSync({ space: name, version, onProgress() {}, run });
      },
    },
    turns: turnsOf(config.schedule, `${name} ${spaceId ?? ""}`),
    readKnown,
    exitCodeOf: (report) => exitCodeOf(report, config),
    handOver: (signal) => handOver({ ...context, signal }, { name, config }, emit),
  };
}

/** Runs the commands of `onCommit` for what changed. What goes wrong is said: the next run hands it over again. */
async function handOver(
  context: CommandContext,
  { name: space, config }: Pick<SpaceConfig, "name" | "config">,
  emit: (event: WatchEvent) => void,
): Promise<void> {
  try {
    for (const { consumer, from, to, result, durationMs } of await handOverToConsumers(context, config)) {
      if (result === "nothing" || result === "busy") continue;
      emit({ kind: "hook", space, atMs: systemClock.now(), consumer, from, to, result, durationMs });
    }
  } catch (error) {
    if (context.signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    const problem = isOffprintError(error) ? error.toProblem() : { code: "UNEXPECTED" as const, message, hint: "" };
    printProblems(context, [{ ...problem, message: `${space}: ${problem.message}` }], "red");
  }
}

function printStart(
  { terminal, flags }: CommandContext,
  spaces: readonly SpaceConfig[],
  url: string | undefined,
): void {
  const names = spaces.map(({ name }) => name);
  terminal.say(
    `Watching ${spaces.length === 1 ? names[0] : `${plural(spaces.length, "space")}: ${names.join(", ")}`}.`,
  );
  if (url !== undefined) {
    terminal.say(`  Health and metrics: ${url}/healthz, ${url}/readyz, ${url}/metrics`);
    for (const { name, config } of spaces) {
      const { key } = config.webhooks;
      const address = `${url}/hooks/${name}${key === undefined ? "" : "/<webhooks.key>"}`;
      if (takesEvents(config.webhooks)) terminal.say(`  Webhooks of ${name}: ${address}`);
      else terminal.warn(`  ${name} takes no webhooks: it has neither webhooks.secret nor webhooks.key.`);
    }
  }
  terminal.say("Stop it with Ctrl-C.");
  if (flags.json) terminal.jsonLine({ kind: "started", spaces: names, url: url ?? null });
}

async function onceAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

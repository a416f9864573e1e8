import { isDeepStrictEqual } from "node:util";
import { type Fleet, type SpaceChanges, spaceChanges } from "../config/load/fleet.js";
import { systemClock } from "../watch/watch-clock.js";
import { type CommandContext, fileStamp } from "./context.js";
import { failureOf, printProblems, problemsOf } from "./report-failure.js";

/** How often we look whether a file of the configuration has changed, in milliseconds. */
const lookEveryMs = 2000;

/**
 * Reads the configuration again at each SIGHUP and soon after one of its files has changed, until the signal. An invalid
 * one is reported, and the one in use stays.
 * @param apply goes on with the new one
 */
export function followConfiguration(
  context: CommandContext,
  fleet: Fleet,
  apply: (fleet: Fleet, changes: SpaceChanges) => Promise<void>,
): void {
  const { signal } = context;
  let current = fleet;
  let isAsked = false;
  let turn = Promise.resolve();

  async function read(isQuiet: boolean): Promise<void> {
    isAsked = false;
    if (signal.aborted) return;
    try {
      const next = await context.spaces();
      const changes = spaceChanges(current.spaces, next.spaces);
      if (hasChanges(changes)) await apply(next, changes);
      if (!isQuiet || hasChanges(changes)) tellChanges(context, changes);
      tellFixed(context, current, next);
      current = next;
    } catch (error) {
      tellFailure(context, error);
    }
  }

  /** Readings follow each other. Signals that arrive before the next one begins are one. */
  const ask = (isQuiet: boolean): Promise<void> => {
    if (!isAsked) turn = turn.then(() => read(isQuiet));
    isAsked = true;
    return turn;
  };
  context.onHangup(() => void ask(false));
  void followFiles(context, () => ask(true));
}

/** A file may be half written, or others may follow: it must look the same twice. */
async function followFiles({ signal, configFiles }: CommandContext, onChange: () => Promise<void>): Promise<void> {
  let seen = new Map<string, string>();
  while (!signal.aborted) {
    await systemClock.sleep(lookEveryMs, signal);
    const known = configFiles();
    const now = new Map([...known.keys()].map((file) => [file, fileStamp(file)]));
    if (!isDeepStrictEqual(now, known) && isDeepStrictEqual(now, seen)) await onChange();
    seen = now;
  }
}

function hasChanges({ added, changed, removed }: SpaceChanges): boolean {
  return added.length + changed.length + removed.length > 0;
}

function tellChanges({ terminal, flags }: CommandContext, changes: SpaceChanges): void {
  const names = {
    added: changes.added.map(({ name }) => name),
    changed: changes.changed.map(({ name }) => name),
    removed: changes.removed,
  };
  const told = Object.entries(names).flatMap(([what, of]) => (of.length === 0 ? [] : [`${what} ${of.join(", ")}`]));
  if (flags.json) terminal.jsonLine({ kind: "reloaded", atMs: systemClock.now(), ...names });
  if (!flags.json || terminal.log !== undefined)
    terminal.say(`Read the configuration again: ${told.join("; ") || "the spaces are the same"}.`);
}

function tellFixed({ terminal }: CommandContext, before: Fleet, after: Fleet): void {
  const fixed = ({ worker, concurrency }: Fleet) => ({ worker, concurrency });
  if (isDeepStrictEqual(fixed(before), fixed(after))) return;
  terminal.warn(`${terminal.paint("yellow", "!")} The new settings below worker: and fleet: apply after a restart.`);
}

function tellFailure(context: CommandContext, thrown: unknown): void {
  const { terminal, flags, signal } = context;
  if (signal.aborted) return;
  const problems = problemsOf(failureOf(context, thrown));
  printProblems(context, problems, "red");
  terminal.warn(`${terminal.paint("red", "✖")} The new configuration is not used. The one in use stays.`);
  if (flags.json) terminal.jsonLine({ kind: "reload-failed", atMs: systemClock.now(), problems });
}

import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Fleet, type SpaceChanges, spaceChanges } from "../config/load/fleet.js";
import type { Problem } from "../lib/errors.js";
import { systemClock } from "../watch/watch-clock.js";
import type { CommandContext } from "./context.js";
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
  let failure = "";
  let turn = Promise.resolve();

  async function read(isQuiet: boolean, isAgain: boolean): Promise<void> {
    isAsked = false;
    if (signal.aborted) return;
    try {
      const next = await context.spaces();
      const changes = spaceChanges(current.spaces, next.spaces);
      if (hasChanges(changes)) await apply(next, changes);
      if (!isQuiet || hasChanges(changes)) tellChanges(context, changes);
      tellFixed(context, current, next);
      current = next;
      failure = "";
    } catch (error) {
      const problems = problemsOf(failureOf(context, error));
      const isTold = isAgain && failure === JSON.stringify(problems);
      failure = JSON.stringify(problems);
      if (!isTold) tellFailure(context, problems);
    }
  }

  /** Readings follow each other. Signals that arrive before the next one begins are one. */
  const ask = (isQuiet: boolean, isAgain = false): void => {
    if (isAsked) return;
    isAsked = true;
    turn = turn.then(() => read(isQuiet, isAgain));
  };
  context.onHangup(() => ask(false));
  void followFiles(context, (isAgain) => ask(true, isAgain));
}

/**
 * A file may be half written, or others may follow: it must look the same twice.
 * @param onChange called with true if the last reading depended on other files: one may have changed before we knew of it
 */
async function followFiles(context: CommandContext, onChange: (isAgain: boolean) => void): Promise<void> {
  const { signal } = context;
  const look = async () => {
    const files = new Set(context.configFiles().flatMap((file) => [file, join(dirname(file), ".env")]));
    return { files: [...files].join("\n"), stamps: await stampOf([...files]) };
  };
  let known = await look();
  let seen = known;
  while (!signal.aborted) {
    await systemClock.sleep(lookEveryMs, signal);
    const now = await look();
    if (!isDeepStrictEqual(now, known) && isDeepStrictEqual(now, seen)) {
      onChange(now.files !== known.files);
      known = now;
    }
    seen = now;
  }
}

async function stampOf(files: readonly string[]): Promise<string> {
  const stamps = files.map(async (file) => {
    try {
      const { mtimeMs, size, ino } = await stat(file);
      return `${mtimeMs} ${size} ${ino}`;
    } catch {
      return "";
    }
  });
  return (await Promise.all(stamps)).join("\n");
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

function tellFailure(context: CommandContext, problems: readonly Problem[]): void {
  const { terminal, flags, signal } = context;
  if (signal.aborted) return;
  printProblems(context, problems, "red");
  terminal.warn(`${terminal.paint("red", "✖")} The new configuration is not used. The one in use stays.`);
  if (flags.json) terminal.jsonLine({ kind: "reload-failed", atMs: systemClock.now(), problems });
}

import type { Config } from "../config/config.js";
import { checkSelection, type WorkerSetting } from "../config/load/fleet.js";
import { printable } from "../lib/printable.js";
import { age } from "../lib/quantity-text.js";
import { forgetHookFailures, readHookFailures } from "../watch/hooks/hook-failures.js";
import { parkedNote, type Refusal } from "../watch/parking.js";
import type { CommandContext } from "./context.js";

/**
 * `offprint resume <space>`: lifts the parking of a space, which `watch` or a worker then tries at once. The next sync runs
 * commands that wait after failures.
 */
export async function runResume(context: CommandContext, name: string): Promise<number> {
  const { terminal } = context;
  const { spaces, worker } = await context.spaces({ tokenOptional: true });
  checkSelection(
    [name],
    spaces.map((space) => space.name),
  );
  const { config } = spaces.find((space) => space.name === name)!;
  const note = parkedNote(config.output.dir);
  const noted = await note.read();
  await note.remove();
  const queued =
    worker?.queue === undefined ? undefined : await resumeInQueue({ ...worker, queue: worker.queue }, name);
  const refusal = queued ?? noted;
  const consumers = await resumeCommands(config);
  terminal.document({
    schema: 1,
    command: "resume",
    space: name,
    parkedSinceMs: refusal?.sinceMs ?? null,
    ...(consumers.length > 0 && { consumers }),
    exitCode: 0,
  });
  if (refusal === undefined) {
    if (consumers.length === 0) terminal.say(`= ${printable(name)} is not parked.`);
  } else {
    const since = age(Date.now() - refusal.sinceMs);
    terminal.say(`${terminal.paint("green", "✔")} ${printable(name)} was refused for ${since}, and is tried now.`);
  }
  for (const consumer of consumers)
    terminal.say(`${terminal.paint("green", "✔")} ${consumer} has failed, and the next sync runs its command again.`);
  return 0;
}

/** @returns the consumers whose command waited after failures */
async function resumeCommands({ output: { dir }, onCommit }: Config): Promise<string[]> {
  const resumed: string[] = [];
  for (const consumer of Object.keys(onCommit)) {
    if (((await readHookFailures(dir, consumer))?.againAtMs ?? null) === null) continue;
    await forgetHookFailures(dir, consumer);
    resumed.push(consumer);
  }
  return resumed;
}

/** The shared record of its last run no longer says that it is refused, and any worker may take the job. */
async function resumeInQueue(setting: WorkerSetting & { queue: string }, space: string): Promise<Refusal | undefined> {
  const { openQueue } = await import("../watch/fleet/open-queue.js");
  const { parseRuns } = await import("../watch/fleet/fleet-records.js");
  const { updateValue } = await import("../watch/fleet/shared-values.js");
  const queue = await openQueue({ setting, spaces: 1 });
  try {
    const refusal = await updateValue(queue.values, { group: "runs", key: space }, (before) => {
      const [run] = parseRuns([before ?? ""]);
      if (run?.refusal === undefined) return { after: before, result: undefined };
      return { after: JSON.stringify({ ...run, refusal: undefined }), result: run.refusal };
    });
    if (refusal !== undefined) await queue.add([{ space, kind: "missed", atMs: Date.now() }]);
    return refusal;
  } finally {
    await queue.close();
  }
}

import type { Config } from "../config/config.js";
import { printable } from "../lib/printable.js";
import { ago, plural } from "../lib/quantity-text.js";
import { listCursors } from "../snapshot/cursors.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Output } from "../snapshot/output.js";
import type { ChangeCounts } from "../watch/hooks/change-list.js";
import { standingOf } from "../watch/hooks/consumer.js";
import { type HandOver, type HandOverOptions, handOver } from "../watch/hooks/hand-over.js";
import { failuresText, type HookFailures, readHookFailures } from "../watch/hooks/hook-failures.js";
import { tracedHook } from "../watch/telemetry/trace-sync.js";
import type { CommandContext } from "./context.js";
import { printProblems } from "./report-failure.js";

/** Passes outstanding changes to the consumers of `onCommit`. Prefixes the output of their commands with their name. */
export async function handOverToConsumers(
  context: CommandContext,
  config: Config,
  { space, ...options }: Pick<HandOverOptions, "stopGraceMs" | "waits"> & { space: string },
): Promise<HandOver[]> {
  const { terminal, env, signal } = context;
  const handedOver = await handOver({
    ...options,
    config,
    env,
    signal,
    around: (consumer, run) => tracedHook({ space, consumer }, run),
    onLine: ({ consumer, text }) => terminal.say(`${terminal.paint("dim", `${consumer} |`)} ${printable(text)}`),
  });
  for (const one of handedOver) {
    printProblems(context, one.problems, one.result === "done" || one.result === "nothing" ? "yellow" : "red");
    if (one.result === "done")
      terminal.say(
        `${terminal.paint("green", "✔")} ${one.consumer} has generation ${one.to}: ${countsText(one.counts)}.`,
      );
    if (one.result === "busy") terminal.say(`= ${one.consumer}: another process is handing over to it.`);
  }
  return handedOver;
}

/** `3 stories changed, 1 moved, 2 deleted, 4 affected, 1 part`, without counts of 0. */
export function countsText({ upserts, moves, deletes, affected, parts }: ChangeCounts): string {
  const found = [
    upserts > 0 ? `${plural(upserts, "story", "stories")} new or changed` : "",
    moves > 0 ? `${moves} moved` : "",
    deletes > 0 ? `${deletes} deleted` : "",
    affected > 0 ? `${affected} affected` : "",
    parts > 0 ? `${plural(parts, "other part")} changed` : "",
  ].filter((text) => text !== "");
  return found.length === 0 ? "nothing" : found.join(", ");
}

export async function standingConsumers(config: Config, store: Output["store"], after: Manifest) {
  const cursors = new Map((await listCursors(store)).map(({ consumer, cursor }) => [consumer, cursor]));
  const names = [...new Set([...cursors.keys(), ...Object.keys(config.onCommit)])].sort();
  const found = [];
  for (const consumer of names) {
    const { before, full, isBehind } = await standingOf({ config, store, after }, consumer);
    const cursor = cursors.get(consumer);
    const movedAt = cursor === undefined || cursor === "damaged" ? null : cursor.movedAt;
    const failures = isBehind ? await readHookFailures(config.output.dir, consumer) : undefined;
    const generation = before?.generation ?? null;
    found.push({ consumer, generation, isCurrent: !isBehind, full, movedAt, ...(failures && { failures }) });
  }
  return found;
}

/** Consumers whose command has failed for changes that still wait. */
export async function failingConsumers(config: Config, store: Output["store"], after: Manifest) {
  const found: { consumer: string; failures: HookFailures }[] = [];
  for (const consumer of Object.keys(config.onCommit)) {
    const failures = await readHookFailures(config.output.dir, consumer);
    if (failures === undefined || !(await standingOf({ config, store, after }, consumer)).isBehind) continue;
    found.push({ consumer, failures });
  }
  return found;
}

export function consumerLines(consumers: Awaited<ReturnType<typeof standingConsumers>>): string[] {
  return consumers.flatMap(({ consumer, generation, isCurrent, full, movedAt, failures }) => {
    const at = movedAt === null ? "has no cursor" : `since ${ago(Date.parse(movedAt), Date.now())}`;
    const place = isCurrent
      ? "current"
      : generation === null
        ? `gets everything (${full})`
        : `at generation ${generation}`;
    const failing = failures === undefined ? [] : [`             ${failuresText(failures)}`];
    return [`consumer     ${consumer}: ${place}, ${at}`, ...failing];
  });
}

import type { Config } from "../config/config.js";
import { printable } from "../lib/printable.js";
import { plural } from "../lib/quantity-text.js";
import type { ChangeCounts } from "../watch/hooks/change-list.js";
import { type HandOver, type HandOverOptions, handOver } from "../watch/hooks/hand-over.js";
import type { CommandContext } from "./context.js";
import { printProblems } from "./report-failure.js";

/**
 * Hands over what is outstanding to the consumers of `onCommit`, with a line for each; what their commands print is shown
 * behind their name.
 */
export async function handOverToConsumers(
  context: CommandContext,
  config: Config,
  options: Pick<HandOverOptions, "stopGraceMs"> = {},
): Promise<HandOver[]> {
  const { terminal, env, signal } = context;
  const handedOver = await handOver({
    ...options,
    config,
    env,
    signal,
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

/** `3 stories changed, 1 moved, 2 deleted, 4 affected, 1 part`; parts of which there are none are left out. */
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

import { duration } from "../lib/quantity-text.js";
import type { OnProgress, Progress } from "../sync/crawl/run/progress.js";
import type { CommandContext } from "./context.js";
import { sentText } from "./request-text.js";

type DebugArea = "crawl" | "store" | "http";

/** Adds logs to stderr, even with `--quiet`, for the areas in `OFFPRINT_DEBUG`: area, milliseconds, decision. */
export function debugged(
  onProgress: OnProgress,
  { env, terminal }: Pick<CommandContext, "env" | "terminal">,
): OnProgress {
  const areas = new Set((env.OFFPRINT_DEBUG ?? "").split(",").map((area) => area.trim()));
  areas.delete("");
  if (areas.size === 0) return onProgress;
  const startedMs = performance.now();
  return (progress) => {
    const area = areaOf(progress);
    const elapsedMs = Math.round(performance.now() - startedMs);
    if (areas.has(area)) terminal.warn(`debug ${area} +${elapsedMs} ms: ${debugText(progress)}`);
    onProgress(progress);
  };
}

const storeStages: readonly string[] = ["assets", "commit", "export"];

function areaOf(progress: Progress): DebugArea {
  if (progress.kind === "request" || progress.kind === "download" || progress.kind === "wait") return "http";
  const isStored = "stage" in progress && storeStages.includes(progress.stage);
  return isStored || progress.kind === "staged" ? "store" : "crawl";
}

/** Addresses contain no secrets, see {@link Progress}. */
function debugText(progress: Progress): string {
  switch (progress.kind) {
    case "stage":
      return `stage ${progress.stage}`;
    case "plan":
      return `plan: ${progress.requests} requests for ${progress.stories} stories`;
    case "advance":
      return `${progress.stage} ${progress.done} of ${progress.total ?? "?"}`;
    case "request":
    case "download":
      return sentText(progress.sent).trim();
    case "wait":
      return `waiting ${duration(progress.ms)}: ${progress.reason}`;
    case "staged":
      return `${progress.stories} stories are staged for the next sync`;
    case "note":
      return progress.message;
  }
}

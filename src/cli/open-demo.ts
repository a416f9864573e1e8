import type { Config } from "../config/config.js";
import { openOutput } from "../snapshot/open-output.js";
import { demoSource } from "../sync/space-identity.js";

/**
 * Starts the embedded demo space, with the edits that the output folder keeps; undefined where the source is
 * another space.
 *
 * @param nowMs milliseconds since the epoch
 * @throws OffprintError `DEMO_EDITS_INVALID` where the log of edits cannot be used
 */
export async function openDemo(config: Config, nowMs = Date.now()) {
  if (config.source.url !== demoSource) return undefined;
  const { loadEdits } = await import("../../demo/edit-log.js");
  const { startDemo } = await import("../../demo/start-demo.js");
  return startDemo({ edits: await loadEdits(openOutput(config.output).store, nowMs) });
}

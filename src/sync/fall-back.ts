import type { Config } from "../config/config.js";
import { isContentCurrent } from "../content/tree/is-content-current.js";
import { ago } from "../lib/quantity-text.js";
import type { Manifest } from "../snapshot/manifest.js";
import { openOutput, readOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import { knownScope, wasRead } from "./crawl/due.js";

/**
 * If the upstream cannot be read. Renders the tree if that is not whole.
 * @returns the generation, or why the copy does not count
 * @throws OffprintError of that, `LOCKED`
 */
export async function fallBack(
  config: Config,
  maxAgeMs: number,
  output: Output = openOutput(config.output),
): Promise<Manifest | string> {
  const { manifest, state } = await readOutput(output);
  if (manifest === undefined || state.confirmedAtMs === null) return "there is no confirmed copy";
  const nowMs = Date.now();
  if (nowMs - state.confirmedAtMs > maxAgeMs) return `the copy was confirmed ${ago(state.confirmedAtMs, nowMs)}`;
  if (!isConfigured(config, manifest)) return "the copy is of another source, or lacks a configured edition";
  if (await isContentCurrent(config, manifest)) return manifest;
  const { exportGeneration } = await import("../content/tree/export-generation.js");
  const lock = await output.lock();
  try {
    await exportGeneration({ config, output: output.store, manifest, assertHeld: () => lock.assertHeld() });
    return manifest;
  } finally {
    await lock.release();
  }
}

function isConfigured(config: Config, manifest: Manifest): boolean {
  if (manifest.space.source !== config.source.url) return false;
  return knownScope(config, manifest).specs.every((spec) => wasRead(spec, manifest) !== undefined);
}

import type { Config } from "../../config/config.js";
import { hasContent } from "../../content/tree/content-folder.js";
import type { ExportReport } from "../../content/tree/export-content.js";
import { isContentCurrent } from "../../content/tree/is-content-current.js";
import type { Problem } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";

/** True without content, too. @param known of the last export: a file that was in the way is checked again */
export async function contentIsWhole(config: Config, manifest: Manifest, known: readonly Problem[]): Promise<boolean> {
  if (hasContent(config) && known.some(({ code }) => code === "CONTENT_BLOCKED")) return false;
  return isContentCurrent(config, manifest);
}

/** Brings the content tree to a generation. @param store contains the generation */
export async function renderPulled(
  config: Config,
  store: Store,
  manifest: Manifest,
  assertHeld: () => Promise<void>,
): Promise<ExportReport> {
  const { exportGeneration } = await import("../../content/tree/export-generation.js");
  return exportGeneration({ config, output: store, manifest, assertHeld });
}

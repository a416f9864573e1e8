import type { Config } from "../config/config.js";
import { type ContentVerifyReport, disownContent, verifyGeneration } from "../content/tree/verify-content.js";
import { isOffprintError, type OffprintError, type Problem } from "../lib/errors.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import { generationFile } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { noteDamage, readOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import { type VerifyOptions, verifySnapshot } from "../snapshot/verify/verify.js";
import type { VerifyReport } from "../snapshot/verify/verify-part.js";

export interface OutputVerifyReport {
  manifest: Manifest;
  snapshot: VerifyReport;
  content: ContentVerifyReport;
  problems: Problem[];
  /** Why nothing could be noted for the next sync: `verify` also works on a read-only folder. */
  unnoted: OffprintError[];
}

/** Notes damage, which the next sync repairs. @throws OffprintError if no manifest can be read, `OUTPUT_UNUSABLE` */
export async function verifyOutput(
  output: Output,
  config: Config,
  options: VerifyOptions = {},
): Promise<OutputVerifyReport | undefined> {
  const { store } = output;
  const manifest = await currentManifest(store);
  if (manifest === undefined) return undefined;
  const snapshot = await verifySnapshot(store, options);
  const content = await verifyGeneration(config, manifest, options.part);
  const unnoted: OffprintError[] = [];
  const trying = async (note: () => Promise<void>) => {
    try {
      await note();
    } catch (error) {
      if (!isOffprintError(error)) throw error;
      unnoted.push(error);
    }
  };
  // A part says nothing of the others, in which an earlier run may have found damage.
  const before = options.part === undefined ? [] : (await readOutput(output)).state.damaged;
  const found = [...snapshot.damaged, ...snapshot.damagedGenerations.map(generationFile)];
  const names = [...new Set([...before, ...found])];
  if (snapshot.generation === manifest.generation) await trying(() => noteDamage(output, manifest, names));
  if (content.problems.length > 0) {
    await trying(async () => {
      const lock = await output.lock();
      await disownContent(config).finally(() => lock.release());
    });
  }
  return { manifest, snapshot, content, problems: [...snapshot.problems, ...content.problems], unnoted };
}

import { randomBytes } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Problem } from "../errors.js";
import { errnoOf } from "../store/file-error.js";
import { continuedMetrics, laterConfirmed, toldByMetrics, toldByStatus } from "./continue-metrics.js";
import type { Metrics } from "./metrics.js";
import { metricsText } from "./metrics-text.js";
import type { SpaceFreshness } from "./space-freshness.js";
import { statusDocument } from "./status-document.js";

/** Files that tell of spaces where nobody asks over HTTP: absolute paths. */
export interface StatusFiles {
  /** In the text format of Prometheus, for the textfile collector of node_exporter: its name has to end with `.prom` there. */
  metrics?: string | undefined;
  /** One JSON document. */
  status?: string | undefined;
}

/** A file that is larger is none of ours. */
const largestBytes = 4 * 1024 * 1024;

/** Metrics that go on from what the files say, where they can be read. */
export async function readStatusFiles(
  files: StatusFiles,
  spaces: readonly SpaceFreshness[],
  nowMs: number,
): Promise<Metrics> {
  const [metrics, status] = [await textOf(files.metrics), await textOf(files.status)];
  const known = spaces.map((one) => {
    const byMetrics = laterConfirmed(one, toldByMetrics(metrics, one.space), nowMs);
    return laterConfirmed(byMetrics, toldByStatus(status, one.space), nowMs);
  });
  return continuedMetrics(known, metrics);
}

/**
 * Replaces the files, each by one rename: a reader sees the whole text of before or of now. They are not made durable: after
 * a power cut the next run writes them anew.
 *
 * @returns why some could not be written; nothing is thrown, because what they tell of has been done
 */
export async function writeStatusFiles(
  { metrics: metricsFile, status: statusFile }: StatusFiles,
  metrics: Metrics,
  options: { version: string; nowMs: number },
): Promise<Problem[]> {
  const problems = [
    ...(metricsFile === undefined ? [] : [await replaceFile(metricsFile, metricsText(metrics, options))]),
    ...(statusFile === undefined
      ? []
      : [await replaceFile(statusFile, `${JSON.stringify(statusDocument(metrics, options), null, 2)}\n`)]),
  ];
  return problems.filter((problem) => problem !== undefined);
}

async function textOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    const { size } = await stat(file);
    return size > largestBytes ? undefined : await readFile(file, "utf8");
  } catch {
    return undefined;
  }
}

async function replaceFile(path: string, text: string): Promise<Problem | undefined> {
  // Not .prom: the collector reads every file of that name.
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}.tmp`);
  try {
    await writeFile(beside, text, { flag: "wx" });
    await rename(beside, path);
    return undefined;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return {
      code: "STATUS_FILE_FAILED",
      message: `${path} could not be written (${errno}).`,
      hint: hints[errno] ?? hint,
    };
  }
}

const hint = "Name a file in a folder that this user may write to. The sync is not affected.";
const hints: Readonly<Record<string, string>> = {
  ENOENT: "Create its folder first. The sync is not affected.",
  ENOTDIR: "A file stands where its folder has to be: name another path. The sync is not affected.",
  EISDIR: "It is a folder: name a file. The sync is not affected.",
  ENOSPC: "Free some space. The sync is not affected.",
};

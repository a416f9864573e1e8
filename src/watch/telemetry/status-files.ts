import { randomBytes } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Problem } from "../../lib/errors.js";
import { errnoOf } from "../../snapshot/store/file-error.js";
import { type Metrics, startMetrics } from "./metrics.js";
import { type MetricsTextOptions, metricsText } from "./metrics-text.js";
import { laterConfirmed, type SpaceFreshness } from "./space-freshness.js";
import { statusDocument, toldSpaces } from "./status-document.js";

export interface StatusFiles {
  /** Prometheus text for the textfile collector of node_exporter (`.prom` files). */
  metrics?: string | undefined;
  status?: string | undefined;
}

/** A larger file is not ours. */
const largestBytes = 4 * 1024 * 1024;

/** Continues from existing files, so the counters of single runs grow as a server's do. */
export async function readStatusFiles(
  files: StatusFiles,
  spaces: readonly SpaceFreshness[],
  nowMs: number,
): Promise<Metrics> {
  const told = [documentIn(await textOf(files.metrics)), await textOf(files.status)].map(toldSpaces);
  const known = spaces.map((one) =>
    told.reduce((latest, spaces) => laterConfirmed(latest, spaces.get(one.space), nowMs), one),
  );
  return startMetrics(known, (space) => told.map((spaces) => spaces.get(space)?.counters).find(Boolean));
}

/** One rename each: readers never see half a text. Returns problems, as the sync itself is done. */
export async function writeStatusFiles(
  { metrics: metricsFile, status: statusFile }: StatusFiles,
  metrics: Metrics,
  options: Pick<MetricsTextOptions, "version" | "commit" | "nowMs">,
): Promise<Problem[]> {
  const status = statusDocument(metrics, options);
  const texts: [string | undefined, string][] = [
    [metricsFile, `${metricsText(metrics, options)}# ${JSON.stringify(status)}\n`],
    [statusFile, `${JSON.stringify(status, null, 2)}\n`],
  ];
  const problems: (Problem | undefined)[] = [];
  for (const [file, text] of texts) if (file !== undefined) problems.push(await replaceFile(file, text));
  return problems.filter((problem) => problem !== undefined);
}

/** Returns the status in a comment of the metrics, from which the next process continues. */
function documentIn(metrics: string | undefined): string | undefined {
  return /^# (\{.*)$/m.exec(metrics ?? "")?.[1];
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
  // Not .prom: the collector would read it.
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
      message: `Could not write ${path} (${errno}).`,
      hint: hints[errno] ?? hint,
    };
  }
}

const hint = "Name a file in a folder that this user can write to. The sync is not affected.";
const hints: Readonly<Record<string, string>> = {
  ENOENT: "Create its folder first. The sync is not affected.",
  ENOTDIR: "Part of the path is a file: choose another path. The sync is not affected.",
  EISDIR: "The path is a folder: name a file. The sync is not affected.",
  ENOSPC: "Free some space. The sync is not affected.",
};

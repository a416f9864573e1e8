import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { OffprintError } from "../../lib/errors.js";
import { isObject } from "../../lib/shape.js";
import { errnoOf, fileError } from "../../snapshot/store/file-error.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import type { Finding } from "./finding.js";

/** The ids of known findings. @throws OffprintError `USAGE` if the file is missing or is not a baseline */
export async function readBaseline(path: string): Promise<Set<string>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw fileError(error, path);
    throw new OffprintError("USAGE", `There is no baseline ${path}.`, {
      hint: "Write one: `offprint check --write-baseline`.",
    });
  }
  const ids = idsOf(text);
  if (ids !== undefined) return ids;
  throw new OffprintError("USAGE", `${path} is not a baseline written by offprint.`, {
    hint: "Name another file, or write it again: `offprint check --write-baseline`.",
  });
}

function idsOf(text: string): Set<string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value.schema !== 1 || !Array.isArray(value.findings)) return undefined;
    return new Set(value.findings.flatMap((one) => (isObject(one) && typeof one.id === "string" ? [one.id] : [])));
  } catch {
    return undefined;
  }
}

/** One finding per line, sorted by story, so that a diff shows which were fixed. */
function baselineText(findings: readonly Finding[]): string {
  const lines = findings
    .map(({ id, code, story, field }) => JSON.stringify({ id, code, story: story?.slug ?? null, field }))
    .sort((a, b) => (a.slice(25) < b.slice(25) ? -1 : 1));
  return `{ "schema": 1, "findings": [\n${lines.join(",\n")}\n] }\n`;
}

/** Replaces the file atomically. @throws OffprintError `USAGE` if the path holds another file */
export async function writeBaseline(path: string, findings: readonly Finding[]): Promise<void> {
  const isThere = await readFile(path).catch(() => undefined);
  if (isThere !== undefined) await readBaseline(path);
  await openFileStore(dirname(path)).replace(basename(path), Buffer.from(baselineText(findings)));
}

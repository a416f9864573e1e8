import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { OffprintError } from "../../lib/errors.js";
import { parseAs } from "../../lib/parse-as.js";
import { anything, list, object, oneOf, text } from "../../lib/shape.js";
import { errnoOf, fileError } from "../../snapshot/store/file-error.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import type { Finding } from "./finding.js";

const baseline = object({ schema: oneOf(1), findings: list(anything) });
const finding = object({ id: text });

/** The ids of known findings. @throws OffprintError `USAGE` if the file is missing or is not a baseline */
export async function readBaseline(path: string): Promise<Set<string>> {
  const json = await readFile(path, "utf8").catch((error: unknown) => {
    if (errnoOf(error) !== "ENOENT") throw fileError(error, path);
    throw new OffprintError("USAGE", `There is no baseline ${path}.`, {
      hint: "Write one: `offprint check --write-baseline`.",
    });
  });
  const found = parseAs(json, baseline);
  if (found !== undefined) return new Set(found.findings.flatMap((one) => (finding.is(one) ? [one.id] : [])));
  throw new OffprintError("USAGE", `${path} is not a baseline written by offprint.`, {
    hint: "Name another file, or write it again: `offprint check --write-baseline`.",
  });
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

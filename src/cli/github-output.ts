import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { OffprintError } from "../lib/errors.js";
import type { SyncReport } from "../sync/report.js";

/** Sets `changed`, `generation` and `cv` of a GitHub step. @param space suffix, such as `changed_news` */
export async function writeGithubOutput(
  env: Readonly<Record<string, string | undefined>>,
  { outcome, generation, cv }: Pick<SyncReport, "outcome" | "generation" | "cv">,
  space?: string,
): Promise<void> {
  const isChanged = outcome === "committed";
  const suffix = space === undefined ? "" : `_${space}`;
  await appendOutputs(env, {
    [`changed${suffix}`]: String(isChanged),
    [`generation${suffix}`]: String(generation ?? ""),
    [`cv${suffix}`]: String(cv ?? ""),
    ...(space !== undefined && isChanged && { changed: "true" }),
  });
}

/** Before several spaces are synced: sets `changed` to false until one of them changes. */
export async function beginGithubOutput(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  await appendOutputs(env, { changed: "false" });
}

async function appendOutputs(
  env: Readonly<Record<string, string | undefined>>,
  outputs: Readonly<Record<string, string>>,
): Promise<void> {
  const file = env.GITHUB_OUTPUT;
  if (file === undefined || file === "") return;
  try {
    await appendFile(file, githubOutputText(outputs));
  } catch (cause) {
    throw new OffprintError("FOLDER_UNUSABLE", `The outputs of the step could not be written to ${file}.`, {
      hint: "GITHUB_OUTPUT names it; without that variable nothing is written.",
      cause,
    });
  }
}

/** A value may contain any text, so it ends at an unguessable line. */
export function githubOutputText(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const end = `offprint-${randomUUID()}`;
      return `${name}<<${end}\n${value}\n${end}\n`;
    })
    .join("");
}

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Config } from "../config/config.js";
import { parseConfigDocument } from "../config/config-document.js";
import { demoToken } from "../config/schema/source-url.js";
import { OffprintError } from "../lib/errors.js";
import { openOutput } from "../snapshot/open-output.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";

/** Undefined for another source. @throws OffprintError `DEMO_EDITS_INVALID`; `CONFIG_INVALID` for another's token */
export async function openDemo(
  { flags, workingFolder }: Pick<CommandContext, "flags" | "workingFolder">,
  config: Config,
  nowMs = Date.now(),
) {
  if (config.source.url !== demoSource) return undefined;
  const variables = await readSourceVariables(resolve(workingFolder(), flags.config));
  const toLeave = howToLeave(variables, flags.config);
  const { loadEdits } = await import("../../demo/edit-log.js");
  const { demoTokens, startDemo } = await import("../../demo/start-demo.js");
  if (![demoTokens.preview, demoTokens.public].includes(config.source.token)) {
    throw otherToken(variables, flags.config, toLeave);
  }
  const demo = await startDemo({ edits: await loadEdits(openOutput(config.output).store, nowMs) });
  return { ...demo, toLeave };
}

function howToLeave({ url, token }: SourceVariables, file: string): string {
  if (url !== undefined && token !== undefined) return `Set ${url} and ${token} to read your own.`;
  if (url !== undefined) return `To read your own, set ${url}, and change source.token in ${file}.`;
  if (token !== undefined) return `To read your own, change source.url in ${file}, and set ${token} for source.token.`;
  return `To read your own, change source.url and source.token in ${file}.`;
}

function otherToken({ token }: SourceVariables, file: string, toLeave: string): OffprintError {
  const toStay = token === undefined ? `Write ${demoToken} as source.token in ${file}` : `Set ${token} to ${demoToken}`;
  return new OffprintError(
    "CONFIG_INVALID",
    `source.url is the demo space, and source.token is not its token, which is ${demoToken}.`,
    { hint: `${toStay} to read the demo space. ${toLeave}` },
  );
}

type SourceVariables = Awaited<ReturnType<typeof readSourceVariables>>;

/** The variables that the source is read from. Undefined: the file contains the value itself. */
async function readSourceVariables(file: string) {
  const document = parseConfigDocument(await readFile(file, "utf8"), {});
  const variableAt = (key: string) => variableOf(document.written(["source", key]));
  return { url: variableAt("url"), token: variableAt("token") };
}

function variableOf(written: string | undefined): string | undefined {
  return /^\s*\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}\s*$/.exec(written ?? "")?.[1];
}

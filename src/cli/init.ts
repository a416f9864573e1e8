import { basename, join, resolve } from "node:path";
import { configFileName } from "../config/config-file.js";
import { isDemoUrl } from "../config/schema/source-url.js";
import { OffprintError } from "../lib/errors.js";
import type { CommandContext } from "./context.js";
import { type CiHost, ciHosts, factsOf, hostSigns, isCiHost, keptBelowPackages } from "./init/ci-recipe.js";
import { ignoringPaths, initFiles } from "./init/init-files.js";
import { assertInside, exists, readText, write } from "./project-files.js";
import { chosenSource, type InitFlags } from "./source-choice.js";

const gitignoreName = ".gitignore";

/** `offprint init`: asks for what the flags leave open, if a person is at the terminal. */
export async function runInit(context: CommandContext, flags: InitFlags): Promise<number> {
  const folder = projectFolder(context);
  if (flags.full === true && (flags.site === undefined || flags.minimal === true)) {
    const message = flags.minimal === true ? "--full and --minimal do not go together." : "--full is for --site.";
    throw new OffprintError("USAGE", message, {
      hint: "Write `offprint init --site --full` for a page for each story.",
    });
  }
  const ci = flags.ci === undefined ? undefined : hostNamed(flags.ci);
  if (flags.site !== undefined) {
    if (ci === undefined) return (await import("./init-site.js")).runInitSite(context, folder, flags);
    const hint = "Run `offprint init --site` first, then `offprint init --ci`.";
    throw new OffprintError("USAGE", "--site and --ci are two commands: a site first, then its recipe.", { hint });
  }
  const gitignore = join(folder, gitignoreName);
  // Read first: if it cannot be changed, nothing is written.
  const ignored = ignoringPaths(await readText(gitignore), [".env"])?.text;
  const found = await readText(join(folder, configFileName));
  const keptConfig = flags.force === true && ci === undefined ? undefined : found;
  const isAttended = context.isAttended && keptConfig === undefined;
  const source = await chosenSource({ ...context, isAttended }, flags);
  const host = ci ?? (await hostOf(folder));
  const files = initFiles({ ...source, ci: host, project: basename(resolve(folder)), keptConfig });
  const recipe = files.at(-1)?.name;
  const toWrite: { name: string; text: string }[] = [];
  const kept: string[] = [];
  for (const { name, text } of files) {
    const replaces = flags.force === true && (ci === undefined || name === recipe);
    if (!replaces && (await exists(join(folder, name)))) kept.push(name);
    else toWrite.push({ name, text });
  }
  if (ignored !== undefined) toWrite.push({ name: gitignoreName, text: ignored });
  const written = toWrite.map(({ name }) => name);
  await assertInside(folder, written);
  if (flags.dryRun !== true) for (const { name, text } of toWrite) await write(folder, name, text);
  tell(context, flags, { written, kept });
  if (host === "netlify" || host === "vercel") adviseFolder(context, keptConfig);
  const isDemo = source.url !== undefined && isDemoUrl(source.url);
  if (keptConfig === undefined && flags.dryRun !== true) {
    context.terminal.say(
      `Next: ${isDemo ? "" : "copy .env.example to .env, fill in the token, and "}run \`offprint sync\`.`,
    );
  }
  return 0;
}

function tell(
  context: CommandContext,
  flags: InitFlags,
  { written, kept }: { written: string[]; kept: string[] },
): void {
  const { terminal } = context;
  const replace = (name: string) =>
    flags.ci !== undefined && [configFileName, ".env.example"].includes(name) ? "" : " (--force replaces it)";
  const wrote = flags.dryRun === true ? "would write" : "wrote";
  for (const name of written) terminal.say(`${terminal.paint("green", "✔")} ${wrote} ${name}`);
  for (const name of kept) terminal.say(`= kept ${name}, which is there already${replace(name)}`);
  terminal.document({ schema: 1, ...(flags.dryRun === true && { dryRun: true }), written, kept });
}

/** These hosts keep only files below the packages between builds. */
function adviseFolder({ terminal }: CommandContext, keptConfig: string | undefined): void {
  if (keptConfig === undefined || factsOf(keptConfig, "").outputDir.startsWith("node_modules/")) return;
  terminal.say(
    `! ${configFileName}: set output.dir to ${keptBelowPackages}, and run this again with --force: elsewhere the snapshot is not kept between builds, and each build reads the whole space.`,
  );
}

/** The host that the project shows, if any. */
async function hostOf(folder: string): Promise<CiHost | undefined> {
  for (const [path, host] of hostSigns) if (await exists(join(folder, path))) return host;
  return undefined;
}

function hostNamed(name: string): CiHost {
  if (isCiHost(name)) return name;
  throw new OffprintError("USAGE", `There is no recipe for ${JSON.stringify(name)}.`, {
    hint: `Recipes: ${ciHosts.join(", ")}. docs/operations.md has those of other machines.`,
  });
}

/** @throws OffprintError `USAGE` for a flag that sets where other commands read and write: init would ignore it */
function projectFolder({ flags, workingFolder }: CommandContext): string {
  const ignored = flags.config !== configFileName ? "--config" : flags.output !== undefined ? "--output" : undefined;
  if (ignored === undefined) return workingFolder();
  const hint = `Run it without ${ignored}, in the folder of your project; output.dir in the file names the output folder.`;
  const message = `init writes ${configFileName} into the working folder, whatever ${ignored} names.`;
  throw new OffprintError("USAGE", message, { hint });
}

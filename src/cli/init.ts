import { join } from "node:path";
import { configFileName } from "../config/config-file.js";
import { ignoringEnv, initFiles } from "../config/init-files.js";
import { isDemoUrl } from "../config/source-url.js";
import { OffprintError } from "../errors.js";
import type { CommandContext } from "./context.js";
import { exists, readText, write } from "./project-files.js";
import { chosenSource, type SourceFlags } from "./source-choice.js";

const gitignoreName = ".gitignore";

export interface InitFlags extends SourceFlags {
  force?: boolean;
  /** `--site`: the name of a framework, or true where it is to be found out. */
  site?: string | true;
  dryRun?: boolean;
}

/** `offprint init`: asks for what the flags do not say, if a person is at the terminal. */
export async function runInit(context: CommandContext, flags: InitFlags): Promise<number> {
  const folder = projectFolder(context);
  if (flags.site !== undefined) return (await import("./init-site.js")).runInitSite(context, folder, flags);
  if (flags.dryRun === true) {
    const hint = "`offprint init --site --dry-run` prints what would be written for a site.";
    throw new OffprintError("USAGE", "init has a dry run with --site only.", { hint });
  }
  const { terminal } = context;
  const gitignore = join(folder, gitignoreName);
  // Read first: where it cannot be added to, nothing is written.
  const ignored = ignoringEnv(await readText(gitignore));
  const source = await chosenSource(context, flags);
  const written: string[] = [];
  const kept: string[] = [];
  for (const { name, text } of initFiles(source)) {
    const path = join(folder, name);
    if (flags.force !== true && (await exists(path))) {
      kept.push(name);
      continue;
    }
    await write(path, text);
    written.push(name);
  }
  if (ignored !== undefined) {
    await write(gitignore, ignored);
    written.push(gitignoreName);
  }
  for (const name of written) terminal.say(`${terminal.paint("green", "✔")} wrote ${name}`);
  for (const name of kept) terminal.say(`= kept ${name}, which is there already (--force replaces it)`);
  const isDemo = source.url !== undefined && isDemoUrl(source.url);
  terminal.say(`Next: ${isDemo ? "" : "copy .env.example to .env, fill in the token, and "}run \`offprint sync\`.`);
  terminal.document({ schema: 1, written, kept });
  return 0;
}

/** @throws OffprintError `USAGE` for a flag that says where other commands read and write: here it would be ignored */
function projectFolder({ flags, workingFolder }: CommandContext): string {
  const ignored = flags.config !== configFileName ? "--config" : flags.output !== undefined ? "--output" : undefined;
  if (ignored === undefined) return workingFolder();
  throw new OffprintError(
    "USAGE",
    `init writes ${configFileName} into the working folder, whatever ${ignored} names.`,
    {
      hint: `Run it without ${ignored}, in the folder of your project; output.dir in the file names the output folder.`,
    },
  );
}

import { constants } from "node:fs";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ignoringEnv, initFiles } from "../config/init-files.js";
import { configFileName } from "../config/load-config.js";
import { type Region, regions } from "../config/region-hosts.js";
import { isDemoUrl } from "../config/source-url.js";
import { OffprintError } from "../errors.js";
import type { CommandContext } from "./context.js";

const gitignoreName = ".gitignore";

export interface InitFlags {
  region?: string;
  url?: string;
  force?: boolean;
}

/** `offprint init`: asks for what the flags do not say, if a person is at the terminal. */
export async function runInit(context: CommandContext, flags: InitFlags): Promise<number> {
  const { terminal } = context;
  const answered = flags.region !== undefined || flags.url !== undefined;
  const choice = context.isAttended && !answered ? await ask() : flags;
  const files = initFiles({
    region: choice.region === undefined ? undefined : regionNamed(choice.region),
    url: choice.url,
  });
  const folder = projectFolder(context);
  const gitignore = join(folder, gitignoreName);
  const written: string[] = [];
  const kept: string[] = [];
  for (const { name, text } of files) {
    const path = join(folder, name);
    if (flags.force !== true && (await exists(path))) {
      kept.push(name);
      continue;
    }
    await write(path, text);
    written.push(name);
  }
  const ignored = ignoringEnv((await exists(gitignore)) ? await readFile(gitignore, "utf8") : undefined);
  if (ignored !== undefined) {
    await write(gitignore, ignored);
    written.push(gitignoreName);
  }
  for (const name of written) terminal.say(`${terminal.paint("green", "✔")} wrote ${name}`);
  for (const name of kept) terminal.say(`= kept ${name}, which is there already (--force replaces it)`);
  const isDemo = choice.url !== undefined && isDemoUrl(choice.url);
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

/** @throws OffprintError `FOLDER_UNUSABLE` or `NO_SPACE` where the file cannot be written */
async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (cause) {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (errno === "ENOSPC" || errno === "EDQUOT") {
      const hint = "Free some space, and run the same command again: files that are there are kept.";
      throw new OffprintError("NO_SPACE", `No space left to write ${path} (${errno}).`, { hint, cause });
    }
    throw new OffprintError("FOLDER_UNUSABLE", `${path} cannot be written${errno === "" ? "" : ` (${errno})`}.`, {
      hint: "Run the command in a folder that belongs to you, on a disk that is not mounted read-only.",
      cause,
    });
  }
}

async function ask(): Promise<InitFlags> {
  const prompts = await import("@clack/prompts");
  const region = await prompts.select({
    message: "Where does the space live?",
    options: [
      ...regions.map((value) => ({ value, label: value })),
      { value: "", label: "somewhere else: the address comes from OFFPRINT_URL" },
    ],
  });
  if (prompts.isCancel(region)) throw new OffprintError("INTERRUPTED", "Nothing was written.");
  return region === "" ? {} : { region };
}

function regionNamed(name: string): Region {
  const region = regions.find((known) => known === name);
  if (region !== undefined) return region;
  throw new OffprintError("USAGE", `There is no region ${JSON.stringify(name)}.`, {
    hint: `Regions: ${regions.join(", ")}. For any other address use --url.`,
  });
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
}

import { configFileName } from "../config/config-file.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The flags that decide what a command works on; those that decide how it prints need not be repeated. */
export interface Place {
  /** Configuration file: `sync.config.yaml`. */
  config: string;
  /** Output folder, in place of `output.dir`. */
  output?: string | undefined;
  /** Names of the selected spaces; none: all of the file. */
  space?: readonly string[] | undefined;
}

/**
 * A command as it has to be typed here: `npm run` inside the repository of this program, `npx` where that was used,
 * and the configuration, output folder and spaces of this run.
 *
 * @param command `sync --full`
 * @returns `offprint sync --full -c site.yaml`
 */
export function commandLine(command: string, { config, output, space = [] }: Place, env: Environment): string {
  const place = [
    ...(config === configFileName ? [] : ["-c", shellWord(config)]),
    ...(output === undefined ? [] : ["--output", shellWord(output)]),
    ...(space.length === 0 ? [] : ["--space", shellWord(space.join(","))]),
  ];
  // `init` writes sync.config.yaml into the working folder, whatever other commands read.
  const chosen = command.startsWith("init") ? [] : place;
  const isRepository = env.npm_package_name === "offprint" && env.npm_lifecycle_event !== undefined;
  if (isRepository && command === "sync")
    return ["npm run sync", ...(chosen.length > 0 ? ["--"] : []), ...chosen].join(" ");
  const isNpx = env.npm_lifecycle_event === "npx";
  return [isRepository ? "npm run offprint --" : isNpx ? "npx offprint" : "offprint", command, ...chosen].join(" ");
}

/**
 * Replaces every command between backticks by what {@link commandLine} makes of it. Errors and hints name commands,
 * and are written where nothing is known of how the program was started.
 */
export function spellCommands(text: string, place: Place, env: Environment): string {
  return text.replace(/`offprint ([a-z][^`]*)`/g, (_, command: string) => `\`${commandLine(command, place, env)}\``);
}

/** A text as one word of a command line: in quotes where a shell would read something else. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import { configFileName } from "../config/config-file.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The flags that decide what a command works on. A hint repeats them. */
export interface Place {
  config: string;
  /** Output folder, instead of `output.dir`. */
  output?: string | undefined;
  /** Names of the selected spaces. Default: all in the file. */
  space?: readonly string[] | undefined;
}

/** A command as a person types it here, with this run's configuration and spaces: `npx offprint sync -c site.yaml` */
export function commandLine(command: string, { config, output, space = [] }: Place, env: Environment): string {
  const place = [
    ...(config === configFileName ? [] : ["-c", shellWord(config)]),
    ...(output === undefined ? [] : ["--output", shellWord(output)]),
    ...(space.length === 0 ? [] : ["--space", shellWord(space.join(","))]),
  ];
  // `init` writes sync.config.yaml into the working folder, regardless of `--config`.
  const chosen = command.startsWith("init") ? [] : place;
  const isRepository = env.npm_package_name === "offprint" && env.npm_lifecycle_event !== undefined;
  if (isRepository && command === "sync")
    return ["npm run sync", ...(chosen.length > 0 ? ["--"] : []), ...chosen].join(" ");
  return [isRepository ? "npm run offprint --" : program(env), command, ...chosen].join(" ");
}

/** Scripts of package.json find `offprint` by name. A shell does so only if it is installed globally. */
function program({ npm_config_user_agent = "", npm_lifecycle_event }: Environment): string {
  if (npm_config_user_agent.startsWith("pnpm/")) return "pnpm exec offprint";
  if (npm_config_user_agent.startsWith("yarn/")) return "yarn offprint";
  const isNpm = npm_config_user_agent.startsWith("npm/") || npm_lifecycle_event !== undefined;
  return isNpm ? "npx offprint" : "offprint";
}

export function spellCommands(text: string, place: Place, env: Environment): string {
  return text.replace(/`offprint ([a-z][^`]*)`/g, (_, command: string) => `\`${commandLine(command, place, env)}\``);
}

export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import { resolve } from "node:path";
import type { Config } from "../config.js";
import type { KeyPath } from "../config-document.js";
import { configFileName, invalidConfig, problemsOfFile, type ReadingPlace, readConfigFile } from "../config-file.js";
import { placeProblems } from "./config-problems.js";
import { checkSelection, type Fleet, nameOfFile, onlySpace, safeName } from "./fleet.js";
import { readFleetFile } from "./read-fleet-file.js";
import {
  type FlagValue,
  fleetKeyOf,
  isOfQueue,
  mayBeUnset,
  readSpace,
  readWorker,
  registerSecrets,
} from "./read-space.js";

/** Command-line flags that override keys of the file. None of them is a token. */
interface ConfigOverrides {
  /** `--output`, relative to the working folder. For one space only. */
  outputDir?: string | undefined;
  port?: number | string | undefined;
  host?: string | undefined;
}

export interface LoadSpacesOptions {
  /** The file, relative to `cwd`. By default sync.config.yaml. */
  file?: string;
  /** Absolute path of the working folder. */
  cwd: string;
  /** Environment variables. They override `.env` in the file's folder. */
  env: Readonly<Record<string, string | undefined>>;
  overrides?: ConfigOverrides;
  /** The token's variable may be unset: no upstream is read. `of-several`: only in a file for several spaces. */
  tokenOptional?: boolean | "of-several";
  /** Names of the spaces to select; all if empty. The others are checked too, but their secrets may be unset. */
  select?: readonly string[];
}

/**
 * Reads every space and registers its secrets. A file with one space is a fleet of one.
 * @throws OffprintError as `loadConfig`; USAGE for an unknown space, and for `outputDir` with
 * several
 */
export function loadSpaces(options: LoadSpacesOptions): Promise<Fleet> {
  return followedSpaces(options);
}

/** The same, and names the files to follow. */
export async function followedSpaces(options: LoadSpacesOptions & Pick<ReadingPlace, "onFile">): Promise<Fleet> {
  const { select = [] } = options;
  const [tokenOptional, ofSeveral] = [options.tokenOptional === true, Boolean(options.tokenOptional)];
  const flags = flagValues(options);
  const isSelected = (name: string) => select.length === 0 || select.includes(name);
  const path = resolve(options.cwd, options.file ?? configFileName);
  const file = await readConfigFile(
    path,
    options,
    (keys) =>
      isOfQueue(keys) ||
      mayBeUnset(keys, { tokenOptional: keys[0] === "source" ? tokenOptional : ofSeveral, isSelected }),
  );
  if (fleetKeyOf(file) !== undefined) {
    const { cwd, env, onFile } = options;
    return readFleetFile(file, { cwd, env, onFile, flags, tokenOptional: ofSeveral, isSelected, select });
  }
  registerSecrets(file, [[]]);
  const { document, name } = file;
  if (document.values === undefined) throw invalidConfig(problemsOfFile(name, document.problems));
  const workers = readWorker(file);
  const { worker: _, ...values } = document.values;
  const space = { values, file, placeOf: (path: KeyPath) => path };
  const { config, ofFile, ofFlags, notes } = readSpace(space, { flags, tokenOptional });
  const ofWorkers = placeProblems(workers.problems, document);
  const problems = [...ofFlags, ...problemsOfFile(name, [...document.problems, ...ofWorkers, ...ofFile])];
  if (config === undefined || problems.length > 0) throw invalidConfig(problems);
  const only = { name: safeName(nameOfFile(path)), config, file: path };
  checkSelection(select, [only.name]);
  return { spaces: [only], concurrency: 1, isFleet: false, worker: workers.worker, notes };
}

function flagValues({ overrides = {}, cwd }: LoadSpacesOptions): FlagValue[] {
  const { outputDir, port, host } = overrides;
  const flags: FlagValue[] = [
    { name: "--output", path: ["output", "dir"], value: outputDir === undefined ? undefined : resolve(cwd, outputDir) },
    { name: "--port", path: ["serve", "port"], value: port },
    { name: "--host", path: ["serve", "host"], value: host },
  ];
  return flags.filter(({ value }) => value !== undefined);
}

export interface LoadConfigOptions extends Omit<LoadSpacesOptions, "select"> {
  /** Name of the space, if the file has several. */
  space?: string;
}

/**
 * Reads the configuration of one space. Flags override the file, the file overrides the defaults
 * and uses the environment for `${NAME}`. Registers its secrets, so that no message shows them.
 * @throws OffprintError CONFIG_MISSING; CONFIG_INVALID with every problem in `problems`; USAGE if
 * no space is called `space`, or there are several and `space` is missing
 */
export async function loadConfig({ space, ...options }: LoadConfigOptions): Promise<Config> {
  const fleet = await loadSpaces(space === undefined ? options : { ...options, select: [space] });
  return onlySpace(fleet, "Name one of them: `space`.").config;
}

import type { Config } from "../config.js";
import { onlySpace } from "./fleet.js";
import { type LoadSpacesOptions, loadSpaces } from "./load-spaces.js";

export interface LoadConfigOptions extends Omit<LoadSpacesOptions, "select"> {
  /** Name of the space, if the file has several. */
  space?: string;
}

/**
 * Reads the configuration of one space. Flags override the file. The file overrides the defaults,
 * and uses the environment where it says `${NAME}`.
 *
 * Registers every secret that it finds, so that no later message shows it.
 *
 * @throws OffprintError CONFIG_MISSING if the file does not exist; CONFIG_INVALID with every
 *   problem in `problems`, each as `file:line:column: message` with a hint; USAGE if no space is
 *   called `space`, or if there are several and `space` is missing
 */
export async function loadConfig({ space, ...options }: LoadConfigOptions): Promise<Config> {
  const fleet = await loadSpaces(space === undefined ? options : { ...options, select: [space] });
  return onlySpace(fleet, "Name one of them: `space`.").config;
}

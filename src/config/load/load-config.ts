import type { Config } from "../config.js";
import { onlySpace } from "./fleet.js";
import { type LoadSpacesOptions, loadSpaces } from "./load-spaces.js";

export interface LoadConfigOptions extends Omit<LoadSpacesOptions, "select"> {
  /** The space, by its name, where the file has several. */
  space?: string;
}

/**
 * Reads the configuration of one space: flag > environment (where the file says `${NAME}`) > file > default.
 *
 * Registers every secret that it finds, so that no later message shows it.
 *
 * @throws OffprintError CONFIG_MISSING when there is no file; CONFIG_INVALID with every problem of the file at once in
 *   `problems`, each as `file:line:column: message` with a hint; USAGE where the file has several spaces and `space` names
 *   none of them.
 */
export async function loadConfig({ space, ...options }: LoadConfigOptions): Promise<Config> {
  const fleet = await loadSpaces(space === undefined ? options : { ...options, select: [space] });
  return onlySpace(fleet, "Name one of them: `space`.").config;
}

import type { Config } from "../config.js";
import { onlySpace } from "./fleet.js";
import { type LoadSpacesOptions, loadSpaces } from "./load-spaces.js";

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

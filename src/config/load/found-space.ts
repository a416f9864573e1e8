import { basename, dirname } from "node:path";
import type { KeyPath } from "../config-document.js";
import { type ConfigFile, configFileName, type ReadingPlace } from "../config-file.js";
import { fleetKeys } from "../schema/fleet-schema.js";
import type { ValueProblem } from "./config-problems.js";
import type { FlagValue } from "./read-space.js";

export interface FleetReading extends ReadingPlace {
  flags: readonly FlagValue[];
  tokenOptional: boolean;
  isSelected(name: string): boolean;
  /** Names of the selected spaces. Empty: all. */
  select: readonly string[];
}

export interface FoundSpace {
  name: string;
  /** Path of its configuration in its file. Empty if the space has its own file. */
  at: KeyPath;
  file: ConfigFile;
  /** Path at which the file with several spaces names it. */
  namedAt: KeyPath;
}

export interface FileProblem extends ValueProblem {
  file: ConfigFile;
}

export function fleetKeyOf({ document }: Pick<ConfigFile, "document">): string | undefined {
  return document.keys([]).find((key) => (fleetKeys as readonly string[]).includes(key));
}

/** Valid names of a space. A name is used for a folder, in addresses and on the command line. */
export const spaceNameText = "at most 64 letters, digits, -, _ and ., beginning with a letter or digit";

export function isSpaceName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name);
}

/** Returns the name of a file's space: `news` for `spaces/news.yaml`, `shop` for `shop/sync.config.yaml`. */
export function nameOfFile(path: string): string {
  const name = basename(path);
  return name === configFileName ? basename(dirname(path)) : name.replace(/\.ya?ml$/i, "");
}

export function safeName(name: string): string {
  const safe = name
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64)
    .replace(/[.-]+$/, "");
  return safe === "" ? "space" : safe;
}

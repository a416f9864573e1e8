import { basename, dirname } from "node:path";
import type { KeyPath } from "../config-document.js";
import { type ConfigFile, configFileName, type ReadingPlace } from "../config-file.js";
import { fleetKeys } from "../schema/fleet-schema.js";
import type { ValueProblem } from "./config-problems.js";
import type { FlagValue } from "./read-space.js";

/** How a file of several spaces is read. */
export interface FleetReading extends ReadingPlace {
  flags: readonly FlagValue[];
  tokenOptional: boolean;
  /** Whether a space is one of those that are asked for. */
  isSelected(name: string): boolean;
  /** The names that were asked for; empty: all. */
  select: readonly string[];
}

/** A space that is still to be checked. */
export interface FoundSpace {
  name: string;
  /** Where its configuration stands in its file: empty for a file of its own. */
  at: KeyPath;
  file: ConfigFile;
  /** Where the file of several spaces names it. */
  namedAt: KeyPath;
}

/** A problem of a file. */
export interface FileProblem extends ValueProblem {
  file: ConfigFile;
}

/** Whether a file is one of several spaces. */
export function isFleetFile({ document }: Pick<ConfigFile, "document">): boolean {
  return fleetKeyOf({ document }) !== undefined;
}

/** The key that makes a file one of several spaces. */
export function fleetKeyOf({ document }: Pick<ConfigFile, "document">): string | undefined {
  return document.keys([]).find((key) => (fleetKeys as readonly string[]).includes(key));
}

/** What a space may be called: its name becomes that of a folder, a segment of an address, a word of a command line. */
export const spaceNameText = "letters, digits, -, _ and ., the first a letter or digit, 64 of them at most";

/** Whether a space may be called so. */
export function isSpaceName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name);
}

/** The name that a file gives its space: `news` for `spaces/news.yaml`, `shop` for `shop/sync.config.yaml`. */
export function nameOfFile(path: string): string {
  const name = basename(path);
  return name === configFileName ? basename(dirname(path)) : name.replace(/\.ya?ml$/i, "");
}

/** The name with what no space may be called replaced. */
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

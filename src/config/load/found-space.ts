import type { KeyPath } from "../config-document.js";
import type { ConfigFile, ReadingPlace } from "../config-file.js";
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

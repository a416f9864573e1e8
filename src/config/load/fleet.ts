import { OffprintError } from "../../lib/errors.js";
import type { Config } from "../config.js";
import { nearestName } from "../schema/nearest-name.js";

/** The spaces of a configuration. */
export interface Fleet {
  /** The selected ones, in the order of the file. At least one. */
  spaces: SpaceConfig[];
  /** Spaces that are read, rendered or verified at once, at most. */
  concurrency: number;
  /** Whether the file is one of several spaces, however many it has and were selected. */
  isFleet: boolean;
  /** How several machines share the spaces; undefined: the file does not say. */
  worker?: WorkerSetting | undefined;
}

/** How several machines share the spaces of a configuration. */
export interface WorkerSetting {
  /** Address of the Redis or PostgreSQL that keeps the jobs, with its password; undefined: its variable is not set. */
  queue?: string;
  /** What the keys in Redis begin with, or the schema in PostgreSQL. */
  name: string;
  /** Spaces that one worker syncs at once. */
  concurrency: number;
  /** Within which time the space of a worker that was killed goes to another one. */
  takeOverMs: number;
}

/** A space, and how it is configured. */
export interface SpaceConfig {
  /**
   * Unique in the fleet, whatever its capitals: letters, digits, `-`, `_` and `.`. A space with a file of its own has the
   * file's name without its end; the space of `sync.config.yaml` that of the folder.
   */
  name: string;
  config: Config;
  /** Absolute path of the file that configures it. */
  file: string;
}

/**
 * Checks that every selected name is that of a space.
 * @throws OffprintError USAGE with the names that there are
 */
export function checkSelection(selected: readonly string[], names: readonly string[]): void {
  const unknown = selected.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const nearest = nearestName(unknown[0] ?? "", names);
  const meant = nearest === undefined ? "" : `Did you mean ${nearest}? `;
  throw new OffprintError("USAGE", `There is no space ${unknown.map((name) => JSON.stringify(name)).join(", ")}.`, {
    hint: `${meant}${namesText(names)}`,
  });
}

/**
 * The one space of a fleet.
 * @param hint how one is selected
 * @throws OffprintError USAGE with the names of the spaces, where there are several
 */
export function onlySpace({ spaces }: Pick<Fleet, "spaces">, hint: string): SpaceConfig {
  const [first, ...others] = spaces;
  if (first !== undefined && others.length === 0) return first;
  const names = spaces.map(({ name }) => name);
  throw new OffprintError("USAGE", `This concerns one space, and there are ${names.length}.`, {
    hint: `${hint} ${namesText(names)}`,
  });
}

/** So many names are listed at most. */
const shownNames = 20;

function namesText(names: readonly string[]): string {
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : "";
  const shown = `${names.slice(0, shownNames).join(", ")}${more}`;
  return names.length === 1 ? `The space here is ${shown}.` : `Spaces here: ${shown}.`;
}

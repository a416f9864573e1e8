import { basename, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { OffprintError } from "../../lib/errors.js";
import type { Config } from "../config.js";
import { configFileName } from "../config-file.js";
import type { worker } from "../schema/fleet-schema.js";
import { nearestName } from "../schema/nearest-name.js";
import type { ReadOf } from "../schema/value-kinds.js";

/** The spaces of a configuration. */
export interface Fleet {
  /** The selected spaces, at least one, in the order of the file. */
  spaces: SpaceConfig[];
  /** Most spaces to read, render or verify at once. */
  concurrency: number;
  /** True if the file is one for several spaces, even if it has or selects a single one. */
  isFleet: boolean;
  /** How several machines share the spaces. Undefined if the file does not say. */
  worker?: WorkerSetting | undefined;
  /** What the file may say, but probably does not mean, each with its place. */
  notes: readonly { message: string; hint: string }[];
}

/** How several machines share the spaces of a configuration. */
export interface WorkerSetting extends Omit<ReadOf<typeof worker>, "queue"> {
  /** Address of the Redis or PostgreSQL that keeps the jobs, with its password. Undefined if its variable is unset. */
  queue?: string;
}

/** A space and its configuration. */
export interface SpaceConfig {
  /** Unique, ignoring case. A space with its own file is named after it, or after the folder of `sync.config.yaml`. */
  name: string;
  config: Config;
  /** Absolute path of the file that configures it. */
  file: string;
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

/** @throws OffprintError USAGE with the existing names, unless every selected space exists */
export function checkSelection(selected: readonly string[], names: readonly string[]): void {
  const unknown = selected.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const nearest = nearestName(unknown[0] ?? "", names);
  const meant = nearest === undefined ? "" : `Did you mean ${nearest}? `;
  throw new OffprintError("USAGE", `There is no space ${unknown.map((name) => JSON.stringify(name)).join(", ")}.`, {
    hint: `${meant}${namesText(names)}`,
  });
}

/** The only space of a fleet. @param hint how to select one @throws OffprintError USAGE if there are several */
export function onlySpace({ spaces }: Pick<Fleet, "spaces">, hint: string): SpaceConfig {
  const [first, ...others] = spaces;
  if (first !== undefined && others.length === 0) return first;
  const names = spaces.map(({ name }) => name);
  throw new OffprintError("USAGE", `Expected one space, but there are ${names.length}.`, {
    hint: `${hint} ${namesText(names)}`,
  });
}

const shownNames = 20;

function namesText(names: readonly string[]): string {
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : "";
  const shown = `${names.slice(0, shownNames).join(", ")}${more}`;
  return names.length === 1 ? `The space here is ${shown}.` : `Spaces here: ${shown}.`;
}

/** What another reading of a configuration says of its spaces. */
export interface SpaceChanges {
  added: SpaceConfig[];
  /** The new settings of spaces that are in both. */
  changed: SpaceConfig[];
  /** Names. */
  removed: string[];
}

/** Compares two readings by names and settings. Pure. */
export function spaceChanges(before: readonly SpaceConfig[], after: readonly SpaceConfig[]): SpaceChanges {
  const known = new Map(before.map((space) => [space.name, space.config]));
  const names = new Set(after.map(({ name }) => name));
  return {
    added: after.filter(({ name }) => !known.has(name)),
    changed: after.filter(({ name, config }) => known.has(name) && !isDeepStrictEqual(known.get(name), config)),
    removed: [...known.keys()].filter((name) => !names.has(name)),
  };
}

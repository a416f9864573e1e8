import { isDeepStrictEqual } from "node:util";
import type { SpaceConfig } from "./fleet.js";

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

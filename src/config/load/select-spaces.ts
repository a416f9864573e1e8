import { OffprintError } from "../../lib/errors.js";
import { nearestName } from "../schema/nearest-name.js";
import type { Fleet, SpaceConfig } from "./fleet.js";

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

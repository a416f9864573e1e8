import { nearestName } from "../config/schema/nearest-name.js";

/** What this process was warned of: a build asks the same question for every page. */
const told = new Set<string>();

/** More different names are values of a route, not mistakes in a template. */
const mostWarnings = 50;

/**
 * Warns once that a question names something which the generation does not have: its answer is empty then, as it is for a
 * mistyped name. The warning has the code `UNKNOWN_NAME`.
 *
 * @param question `datasource()`
 * @param kind `datasource`
 * @param known the names that the generation has
 */
export function warnUnknown(question: string, kind: string, name: string, known: readonly string[]): void {
  const meant = nearestName(name, known);
  const has = known.length === 0 ? `It has no ${kind} at all.` : `It has ${known.slice(0, 20).join(", ")}.`;
  const advice = meant === undefined ? has : `Did you mean ${meant}?`;
  const message = `${question}: the snapshot has no ${kind} ${JSON.stringify(name.slice(0, 80))}. ${advice}`;
  if (told.has(message) || told.size >= mostWarnings) return;
  told.add(message);
  process.emitWarning(message, "OffprintWarning", "UNKNOWN_NAME");
}

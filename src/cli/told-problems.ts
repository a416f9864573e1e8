import type { Config } from "../config/config.js";
import type { NamedProblem } from "../content/names/name-problems.js";
import type { Problem } from "../lib/errors.js";
import { orUndefined } from "../lib/or-undefined.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import type { Store } from "../snapshot/store/store.js";
import type { CommandContext } from "./context.js";

/**
 * Adds names to the problems that the command prints, or to all with `--json`: each look-up costs time. Loads the code
 * that names them only if one of them has a place. A problem without a name keeps its message with the uuid.
 */
export async function nameTold<P extends Problem>(
  { flags }: Pick<CommandContext, "flags">,
  { store, config }: { store: Store; config: Pick<Config, "editor"> },
  problems: readonly P[],
  told: readonly P[],
): Promise<NamedProblem<P>[]> {
  const wanted = flags.json ? problems : told;
  if (!wanted.some(({ place }) => place !== undefined)) return [...problems];
  const { nameProblems } = await import("../content/names/name-problems.js");
  const manifest = await orUndefined(currentManifest(store));
  const named = manifest && (await orUndefined(nameProblems({ store, manifest, config }, wanted)));
  const byProblem = new Map(wanted.map((problem, at) => [problem, named?.[at]]));
  return problems.map((problem) => byProblem.get(problem) ?? problem);
}

/** The message with names, if they are known. */
export function toldMessage({ message, names }: NamedProblem): string {
  return names?.message ?? message;
}

/** With so few problems, the address of each story in the editor is printed too. */
const fewProblems = 3;

/** True if the command prints the address of each story in the editor. */
export function tellsEditor({ terminal }: Pick<CommandContext, "terminal">, shown: number): boolean {
  return terminal.verbose || shown <= fewProblems;
}

import { OffprintError } from "../lib/errors.js";
import { parseExact, printExact } from "../lib/json/exact-json.js";
import { printable } from "../lib/printable.js";
import { chosenEdition, storedStory, uuidOfStory } from "../snapshot/reader/stored-story.js";
import type { CommandContext } from "./context.js";
import { assertOneName, namedGeneration } from "./generation-at.js";
import { currentSnapshot } from "./missing-snapshot.js";

export interface ShowFlags {
  generation?: number;
  /** A time. */
  at?: string;
  language?: string;
  draft?: boolean;
}

/** `offprint show <slug>`: prints a record as it is stored in a generation. */
export async function runShow(context: CommandContext, slug: string, flags: ShowFlags): Promise<number> {
  const { terminal } = context;
  const { store, manifest: current } = await currentSnapshot(context);
  if (flags.at !== undefined) assertOneName("--at", flags.generation === undefined ? undefined : "--generation");
  const named = flags.at ?? flags.generation;
  const manifest = named === undefined ? current : await namedGeneration(terminal, store, named, "--at");
  const { generation, cv, committedAt } = manifest;
  const edition = chosenEdition(manifest, { language: flags.language, version: flags.draft ? "draft" : undefined });
  const uuid =
    (await uuidOfStory(store, manifest, edition, slug)) ??
    // It may have had another slug then.
    (manifest === current ? undefined : await uuidOfStory(store, current, edition, slug));
  const line = uuid === undefined ? undefined : await storedStory(store, manifest, edition.name, uuid);
  if (uuid === undefined || line === undefined) throw missingStory(slug, edition.name, generation);
  terminal.say(printable(`${edition.name} of generation ${generation} (cv ${cv ?? "unknown"}, ${committedAt})`));
  terminal.text(indented(line), "json");
  terminal.document({ schema: 1, generation, cv, committedAt, edition: edition.name, uuid, story: JSON.parse(line) });
  return 0;
}

export function missingStory(slug: string, edition: string, where: number | string): OffprintError {
  const generation = typeof where === "number" ? `generation ${where}` : where;
  return new OffprintError("USAGE", `${edition} of ${generation} has no story ${printable(slug)}.`, {
    hint: "Name its full slug (`articles/first`, without the language) or its uuid; `offprint diff` lists what came and went.",
  });
}

/** Indented JSON, or one line if indenting would print a number differently than it is stored. */
function indented(line: string): string {
  const value: unknown = JSON.parse(line);
  return printExact(parseExact(line)) === JSON.stringify(value) ? JSON.stringify(value, undefined, 2) : line;
}

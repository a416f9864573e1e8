import { parseExact, printExact } from "../lib/json/exact-json.js";
import { printable } from "../lib/printable.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import { storedStory, uuidOfStory } from "../snapshot/reader/stored-story.js";
import type { Store } from "../snapshot/store/store.js";
import type { CommandContext } from "./context.js";
import { assertOneName, namedGeneration } from "./generation-at.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { type EditionFlags, editionFor, missingStory, whereabouts } from "./missing-story.js";

export interface ShowFlags extends EditionFlags {
  generation?: number;
  /** A time. */
  at?: string;
}

/** `offprint show <slug>`: prints a record as it is stored in a generation. */
export async function runShow(context: CommandContext, slug: string, flags: ShowFlags): Promise<number> {
  const { terminal } = context;
  const { store, manifest: current } = await currentSnapshot(context);
  if (flags.at !== undefined) assertOneName("--at", flags.generation === undefined ? undefined : "--generation");
  const named = flags.at ?? flags.generation;
  const manifest = named === undefined ? current : await namedGeneration(terminal, store, named, "--at");
  const { generation, cv, committedAt } = manifest;
  const chosen = editionFor(manifest, flags);
  const inSlug = manifest.editions.find(({ language }) => language === /^\/*([^/]+)/.exec(slug)?.[1])?.language;
  let [edition, uuid] = [chosen, await findStory(store, manifest, current, chosen, slug)];
  if (uuid === undefined && flags.language === undefined && inSlug !== undefined) {
    edition = editionFor(manifest, { ...flags, language: inSlug });
    uuid = await findStory(store, manifest, current, edition, slug);
  }
  const line = uuid === undefined ? undefined : await storedStory(store, manifest, edition.name, uuid);
  if (uuid === undefined || line === undefined) {
    const place = { store, manifest, edition };
    throw await missingStory(place, slug, await whereabouts(place, slug));
  }
  terminal.say(printable(`${edition.name} of generation ${generation} (cv ${cv ?? "unknown"}, ${committedAt})`));
  terminal.text(indented(line), "json");
  terminal.document({ schema: 1, generation, cv, committedAt, edition: edition.name, uuid, story: JSON.parse(line) });
  return 0;
}

async function findStory(store: Store, manifest: Manifest, current: Manifest, edition: EditionEntry, slug: string) {
  const found = await uuidOfStory(store, manifest, edition, slug);
  // It may have had another slug then.
  return found ?? (manifest === current ? undefined : uuidOfStory(store, current, edition, slug));
}

/** Indented JSON, or one line if indenting would print a number differently than it is stored. */
function indented(line: string): string {
  const value: unknown = JSON.parse(line);
  return printExact(parseExact(line)) === JSON.stringify(value) ? JSON.stringify(value, undefined, 2) : line;
}

import { nearestNames } from "../config/schema/nearest-name.js";
import { trimSlashes } from "../contract/story-address.js";
import { OffprintError } from "../lib/errors.js";
import { parseExact, printExact } from "../lib/json/exact-json.js";
import { printable } from "../lib/printable.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import { chosenEdition, fullSlugs, storedStory, uuidOfStory } from "../snapshot/reader/stored-story.js";
import type { Store } from "../snapshot/store/store.js";
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
  const version = flags.draft ? "draft" : undefined;
  const chosen = chosenEdition(manifest, { language: flags.language, version });
  const inSlug = manifest.editions.find(({ language }) => language === /^\/*([^/]+)/.exec(slug)?.[1])?.language;
  let [edition, uuid] = [chosen, await findStory(store, manifest, current, chosen, slug)];
  if (uuid === undefined && flags.language === undefined && inSlug !== undefined) {
    edition = chosenEdition(manifest, { language: inSlug, version });
    uuid = await findStory(store, manifest, current, edition, slug);
  }
  const line = uuid === undefined ? undefined : await storedStory(store, manifest, edition.name, uuid);
  if (uuid === undefined || line === undefined) {
    throw missingStory(slug, edition.name, generation, await nearSlugs(store, manifest, edition, slug));
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

/** Up to three slugs that a person may have meant. */
export async function nearSlugs(
  store: Store,
  manifest: Manifest,
  edition: Pick<EditionEntry, "name">,
  slug: string,
): Promise<string[]> {
  const slugs: string[] = [];
  for await (const own of fullSlugs(store, manifest, edition)) slugs.push(own);
  return nearestNames(trimSlashes(slug), slugs, 3);
}

/** @param near slugs that may be meant */
export function missingStory(
  slug: string,
  edition: string,
  where: number | string,
  near: readonly string[],
): OffprintError {
  const generation = typeof where === "number" ? `generation ${where}` : where;
  return new OffprintError("USAGE", `${edition} of ${generation} has no story ${printable(slug)}.`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((one) => printable(one)).join(" or ")}?`
        : "Name its full slug (`articles/first`, without the language) or its uuid; `offprint diff` lists what came and went.",
  });
}

/** Indented JSON, or one line if indenting would print a number differently than it is stored. */
function indented(line: string): string {
  const value: unknown = JSON.parse(line);
  return printExact(parseExact(line)) === JSON.stringify(value) ? JSON.stringify(value, undefined, 2) : line;
}

import { nearestNames } from "../config/schema/nearest-name.js";
import { trimSlashes } from "../contract/story-address.js";
import { OffprintError } from "../lib/errors.js";
import { memberText } from "../lib/json/member.js";
import { orUndefined } from "../lib/or-undefined.js";
import { printable } from "../lib/printable.js";
import { listGenerations, tryManifest } from "../snapshot/current-manifest.js";
import { diffPart, type RecordChange } from "../snapshot/diff-part.js";
import { generationFile, parts } from "../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import { chosenEdition, fullSlugs, slugsOf, storedStory, uuidOfStory } from "../snapshot/reader/stored-story.js";
import type { Store } from "../snapshot/store/store.js";
import { shellWord } from "./next-command.js";

/** Which edition of a story is meant. */
export interface EditionFlags {
  language?: string;
  draft?: boolean;
}

/** @throws OffprintError `USAGE` if the generation has none in the language */
export function editionFor(manifest: Manifest, { language, draft }: EditionFlags): EditionEntry {
  return chosenEdition(manifest, { language, version: draft ? "draft" : undefined });
}

export interface SearchedPlace {
  store: Store;
  manifest: Manifest;
  edition: EditionEntry;
  /** Default: the generation of the manifest. */
  where?: string;
}

/** @param hint default: up to three slugs that a person may have meant */
export async function missingStory(
  { store, manifest, edition, where = `generation ${manifest.generation}` }: SearchedPlace,
  slug: string,
  hint?: string,
): Promise<OffprintError> {
  const message = `${edition.name} of ${where} has no story ${printable(slug)}.`;
  if (hint !== undefined) return new OffprintError("USAGE", message, { hint });
  const slugs: string[] = [];
  for await (const own of fullSlugs(store, manifest, edition)) slugs.push(own);
  const near = nearestNames(trimSlashes(slug), slugs, 3).map((one) => printable(one));
  return new OffprintError("USAGE", message, {
    hint:
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : "Name its full slug (`articles/first`, without the language) or its uuid; `offprint diff` lists what came and went.",
  });
}

/** A sentence that says where a story is that this edition lacks. Undefined if it was never here, or is unreadable. */
export async function whereabouts(
  { store, manifest, edition }: SearchedPlace,
  slug: string,
): Promise<string | undefined> {
  const found = formerly(store, manifest, edition, slug).then(
    (told) => told ?? inOtherEdition(store, manifest, edition, slug),
  );
  // A hint is worth no other failure.
  return orUndefined(found);
}

async function formerly(store: Store, manifest: Manifest, edition: EditionEntry, slug: string) {
  const last = await lastChange(store, manifest, edition, slug);
  if (last === undefined) return undefined;
  const { key, after, had, lacks } = last;
  const now = await storedStory(store, manifest, edition.name, key);
  if (now !== undefined) return `It moved to ${printable(trimSlashes(memberText(now, "full_slug") ?? ""))}.`;
  const when =
    lacks.previous === had ? `in generation ${lacks.generation}` : `between generations ${had} and ${lacks.generation}`;
  const language = edition.language === "default" ? "" : ` --language ${edition.language}`;
  const flags = `${language}${edition.version === "draft" ? " --draft" : ""} --generation ${had}`;
  const what = after === null ? "removed" : "moved";
  return `It was ${what} ${when}: \`offprint show ${shellWord(printable(slug))}${flags}\` shows it.`;
}

/** At most this many earlier generations are looked at, the newest first. */
const mostGenerations = 30;

/** The last time that a story left this slug. Looks at no bucket, where reading costs requests. */
async function lastChange(
  store: Store,
  manifest: Manifest,
  { name, language }: EditionEntry,
  slug: string,
): Promise<(RecordChange & { had: number; lacks: Manifest }) | undefined> {
  if (store.atOrigin !== undefined) return undefined;
  const part = parts.stories(name);
  const earlier = (await listGenerations(store)).filter((generation) => generation < manifest.generation);
  let lacks = manifest;
  for (const had of earlier.reverse().slice(0, mostGenerations)) {
    const { manifest: older } = await tryManifest(store, generationFile(had), had);
    if (older === undefined) continue;
    for await (const change of diffPart(store, part, older.parts[part], lacks.parts[part])) {
      const { key, before } = change;
      if (before !== null && [key, ...slugsOf(before, language)].includes(trimSlashes(slug)))
        return { ...change, had, lacks };
    }
    lacks = older;
  }
  return undefined;
}

async function inOtherEdition(
  store: Store,
  manifest: Manifest,
  { name, language, version }: EditionEntry,
  slug: string,
) {
  for (const other of manifest.editions) {
    const isDraft = other.version === "draft" && version !== "draft";
    if (other.name === name || other.release !== null || (other.version !== version && !isDraft)) continue;
    if ((await uuidOfStory(store, manifest, other, slug)) === undefined) continue;
    const flags = [
      ...(other.language === language ? [] : [`--language ${other.language}`]),
      ...(isDraft ? ["--draft"] : []),
    ];
    return `It exists in ${other.name}: add ${flags.join(" ")}.`;
  }
  return undefined;
}

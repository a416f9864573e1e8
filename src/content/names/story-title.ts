import { languageName } from "../../lib/language-name.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { KnownStory } from "./known-stories.js";

/** `"Clara Penhaligon" (authors/clara-penhaligon)`; of another edition than the usual one: `"Clara" (clara, de)`. */
export function storyTitle(
  { name, slug }: Pick<KnownStory, "name" | "slug">,
  edition?: Pick<EditionEntry, "version" | "language" | "release">,
): string {
  const inside = [slug, ...(edition === undefined ? [] : editionTitle(edition))].filter((text) => text !== "");
  if (name === "") return inside.join(", ");
  return inside.length === 0 ? `"${name}"` : `"${name}" (${inside.join(", ")})`;
}

function editionTitle({ version, language, release }: Pick<EditionEntry, "version" | "language" | "release">) {
  return [
    ...(language === "default" ? [] : [language]),
    ...(version === "published" ? [] : [version]),
    ...(release === null ? [] : [`release ${release}`]),
  ];
}

/**
 * The target of a link or relation that its edition does not have, and why: `"Clara" (clara), deleted between
 * generation 3 and 4`. If nothing knows the story, its uuid, after the slug that the link has saved.
 */
export function targetTitle(
  uuid: string,
  known: KnownStory | undefined,
  { saved, reason }: { saved?: string | undefined; reason?: string | undefined } = {},
): string {
  if (known !== undefined) return `${storyTitle(known)}, ${reason ?? reasonOf(known)}`;
  const title = saved === undefined ? `story ${uuid}` : `${saved} (${uuid.slice(0, 8)}…)`;
  return `${title}, ${reason ?? "which this edition does not have"}`;
}

/** Why an edition lacks a story that another language has. @param language that of the edition */
export function notTranslated(language: string): string {
  return language === "default"
    ? "which only other languages have"
    : `which is not translated to ${languageName(language)}`;
}

/** `the link "our shops" leads to` */
export function linkVerb(text: string | undefined): string {
  return text === undefined ? "a link leads to" : `the link "${text}" leads to`;
}

function reasonOf({ state, between }: KnownStory): string {
  const when = between === undefined ? "" : ` between generations ${between[0]} and ${between[1]}`;
  switch (state) {
    case "deleted":
      return `deleted${when}`;
    case "gone":
      return `deleted or unpublished${when}`;
    case "unpublished":
      return "which is unpublished";
    case "folder":
      return "which is a folder";
    case "published":
      return "which this edition does not have";
  }
}

import { languageName } from "../../../lib/language-name.js";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import { chosenEdition, storedStory } from "../../../snapshot/reader/stored-story.js";
import type { Store } from "../../../snapshot/store/store.js";
import { Choices, More } from "./lists.js";
import { languagesAddress, languagesOf, storyAddress } from "./page.js";

const shownLanguages = 30;

/** The languages of a version that are shown, and how many there are. */
export interface StoryLanguages {
  shown: readonly { language: string; isThere: boolean }[];
  total: number;
}

/** The first {@link shownLanguages} languages, with whether the story exists in each. */
export async function storyLanguages(
  store: Store,
  manifest: Manifest,
  edition: EditionEntry,
  uuid: string,
): Promise<StoryLanguages> {
  const languages = languagesOf(manifest, edition);
  const shown: StoryLanguages["shown"][number][] = [];
  for (const language of languages.slice(0, shownLanguages)) {
    const { name } = chosenEdition(manifest, { language, version: edition.version });
    const isThere = language === edition.language || (await storedStory(store, manifest, name, uuid)) !== undefined;
    shown.push({ language, isThere });
  }
  return { shown, total: languages.length };
}

interface LanguageProperties {
  uuid: string;
  edition: EditionEntry;
  languages: StoryLanguages;
  generation?: number;
}

/** The story in each other language, where it is there. */
export function Languages({ uuid, languages: { shown, total }, edition, generation }: LanguageProperties) {
  if (total < 2) return null;
  const own = edition.language;
  const others = shown.filter(({ language, isThere }) => isThere && language !== "default");
  const beside = own === "default" ? others[0]?.language : own;
  const choices = shown.map(({ language, isThere }) => {
    const there = storyAddress(uuid, { language, version: edition.version, generation });
    return [languageName(language), language === own, isThere ? there : undefined] as const;
  });
  return (
    <>
      <Choices
        label="Languages of this story"
        choices={
          beside === undefined
            ? choices
            : [...choices, ["side by side", false, languagesAddress(uuid, { with: beside, version: edition.version })]]
        }
      />
      <More count={total - shown.length} />
    </>
  );
}

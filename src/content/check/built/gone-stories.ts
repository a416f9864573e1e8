import { memberText } from "../../../lib/json/member.js";
import { storyAddress } from "../../render/site-pages.js";
import { eachEarlierStory } from "../moved-slugs.js";
import { checkedEditions } from "../read-checked-space.js";
import type { BuiltSiteSource, BuiltStory, GoneStory } from "./built-site.js";

/** Stories of earlier generations that are kept, at addresses that no story has now and the site has a page at. */
export async function goneStories(
  { store, manifest, config, version }: BuiltSiteSource,
  stories: readonly BuiltStory[],
  fileOf: (url: string) => string | undefined,
): Promise<GoneStory[]> {
  const address = storyAddress(config);
  const taken = new Set(stories.flatMap(({ file }) => file ?? []));
  const places = new Map(stories.map(({ edition, uuid, url }) => [`${edition.name} ${uuid}`, url]));
  const found = new Map<string, GoneStory>();
  for (const edition of checkedEditions(manifest, version)) {
    await eachEarlierStory(store, manifest, edition.name, (uuid, line, generation) => {
      const slug = memberText(line, "full_slug") ?? "";
      const url = address({ full_slug: slug, path: memberText(line, "path") }, edition.language);
      const file = fileOf(url);
      if (file === undefined || taken.has(file)) return;
      const movedTo = places.get(`${edition.name} ${uuid}`);
      found.set(file, { edition, uuid, name: memberText(line, "name") ?? "", slug, url, generation, movedTo, file });
    });
  }
  return [...found.values()];
}

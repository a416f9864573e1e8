import type { Config } from "../../../config/config.js";
import { isIncluded } from "../../../content/resolve/left-out.js";
import type { StoryHead } from "../../../contract/records.js";

/** The full slug in the default language. Without translatable slugs: `about` for `de/about`. */
export function defaultSlug(
  { default_full_slug, full_slug }: Pick<StoryHead, "default_full_slug" | "full_slug">,
  language: string,
): string {
  return default_full_slug ?? (full_slug.startsWith(`${language}/`) ? full_slug.slice(language.length + 1) : full_slug);
}

/** True if `source.include` selects the story itself, by its slug and content type. Pure. */
export function isIncludedStory(story: StoryHead, language: string, include: Config["source"]["include"]): boolean {
  return isIncludedType(story, include) && isIncluded(defaultSlug(story, language), include);
}

/** True if `source.include` selects this content type. Pure. */
export function isIncludedType({ content }: StoryHead, { contentTypes }: Config["source"]["include"]): boolean {
  return contentTypes.length === 0 || contentTypes.includes(content?.component ?? "");
}

/** True if stories that `include` leaves out can be wanted as relations. */
export function readsRelated({
  related,
  startsWith,
  excludeSlugs,
  contentTypes,
}: Config["source"]["include"]): boolean {
  return related && startsWith.length + excludeSlugs.length + contentTypes.length > 0;
}

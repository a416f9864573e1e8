import type { Config, ContentTypeSetting } from "../../config/config.js";
import type { StoryRecord } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { Reader, StoryReference } from "../../snapshot/reader/reader.js";
import { fieldWords } from "../render/field-name.js";
import { isHomePage } from "../resolve/link-pattern.js";
import { visitValue } from "../resolve/rewrite-value.js";

/** Words in the name of a content type whose stories are no pages: `site_config`, `mainNavigation`, `redirects`. */
const settingsWords = new Set(
  `config configs configuration configurations settings setting options navigation navigations nav navbar header headers
  footer footers global globals redirect redirects`.split(/\s+/),
);
/** Words that say nothing beside those; of `menu` alone, which a restaurant has, too, nothing is known. */
const otherWords = new Set(
  "site website app web main global page theme shared common menu menus link links".split(" "),
);
/** So many words in one text are prose. */
const wordsOfProse = 30;

/** True if stories of a content type are settings of the site by its name, unless one of them holds prose. */
export function isSettingsType(component: string): boolean {
  const words = fieldWords(component);
  return (
    words.some((word) => settingsWords.has(word)) &&
    words.every((word) => settingsWords.has(word) || otherWords.has(word))
  );
}

/**
 * True if a story becomes a Markdown file: as `content.types.<type>.markdown` says; by default all stories, except those
 * of a content type that is called like settings of the site and holds no prose.
 *
 * @param story reads its record
 */
export function hasPage(
  component: string,
  setting: ContentTypeSetting | undefined,
  story: () => StoryRecord | undefined,
): boolean {
  if (setting?.page !== undefined) return setting.page;
  return !isSettingsType(component) || holdsProse(story()?.content);
}

/** True if the story of an edition becomes a Markdown file, see {@link hasPage}. A home page always does. */
export function isPage(
  reference: StoryReference,
  { name, language }: Pick<EditionEntry, "name" | "language">,
  { read, config }: { config: Pick<Config, "content" | "resolve">; read: Pick<Reader, "story"> },
): boolean {
  const { component, uuid } = reference;
  const setting = Object.hasOwn(config.content.types, component) ? config.content.types[component] : undefined;
  return (
    hasPage(component, setting, () => read.story(name, uuid)) || isHomePage(reference, language, config.resolve.links)
  );
}

function holdsProse(content: unknown): boolean {
  let isProse = false;
  visitValue(content, (value) => {
    if (isObject(value) && value.type === "doc") isProse ||= wordsIn(textsOf(value)) >= wordsOfProse;
    else if (typeof value === "string") isProse ||= wordsIn(value) >= wordsOfProse;
  });
  return isProse;
}

/** The texts of a rich text document. */
function textsOf(document: unknown): string {
  const texts: string[] = [];
  visitValue(document, (value) => {
    if (isObject(value) && value.type === "text" && typeof value.text === "string") texts.push(value.text);
  });
  return texts.join(" ");
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

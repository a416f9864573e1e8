import type { Config, Version } from "../../../config/config.js";
import { isObject } from "../../../lib/shape.js";
import { parts } from "../../../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import { readPart } from "../../../snapshot/read-part.js";
import type { Store } from "../../../snapshot/store/store.js";
import { storyAddress } from "../../render/site-pages.js";
import { isBlock, type JsonObject } from "../../resolve/content-shape.js";
import { isSettingsType } from "../../tree/pageless-stories.js";
import { checkedEditions } from "../read-checked-space.js";
import type { BuiltStory } from "./built-site.js";
import { storyTexts } from "./story-texts.js";

/** The stories of which a site makes pages: all but settings (`content.types.<type>.markdown`). */
export async function readStories(
  store: Store,
  manifest: Manifest,
  config: Config,
  version: Version | undefined,
  fileOf: (url: string) => string | undefined,
): Promise<BuiltStory[]> {
  const address = storyAddress(config);
  const stories: BuiltStory[] = [];
  for (const edition of checkedEditions(manifest, version)) {
    const part = parts.stories(edition.name);
    const entry = manifest.parts[part];
    if (entry === undefined) continue;
    for await (const { line } of readPart(store, part, entry)) {
      const record: unknown = JSON.parse(line);
      if (!isObject(record) || !isBlock(record.content)) continue;
      const type = record.content.component;
      if (!hasPages(type, config)) continue;
      const [uuid, slug, path] = [record.uuid, record.full_slug, record.path].map((text) => String(text ?? ""));
      const url = address({ full_slug: slug!, path: path! }, edition.language);
      const file = fileOf(url);
      stories.push({ edition, uuid: uuid!, slug: slug!, url, type, file, ...textsOf(record, line, file) });
    }
  }
  return stories;
}

/** Of a story without a page nothing is compared. */
function textsOf(record: JsonObject, line: string, file: string | undefined) {
  return file === undefined ? { titles: [], paragraphs: [] } : storyTexts(record, line);
}

function hasPages(type: string, { content }: Config): boolean {
  const setting = Object.hasOwn(content.types, type) ? content.types[type]?.page : undefined;
  return setting ?? !isSettingsType(type);
}

export function isDefault({ language }: Pick<EditionEntry, "language">): boolean {
  return language === "default";
}

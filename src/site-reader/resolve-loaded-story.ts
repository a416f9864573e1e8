import type { Config } from "../config/config.js";
import type { AssetMetadataRecord, Blok } from "../contract/records.js";
import { bodyToHtml } from "../render/body-to-html.js";
import { createStoryResolver } from "../render/resolve-story.js";
import { targets } from "../render/targets.js";
import type { AssetFiles } from "./asset-files.js";
import type { StoredStory } from "./edition-stories.js";
import { withLoaded } from "./loading-reader.js";
import { type RichTextForm, richTextContext, withRichTextAs } from "./rich-text-fields.js";
import type { Story } from "./snapshot.js";
import type { OpenEdition } from "./snapshot-editions.js";

export interface ResolveLoadedOptions {
  edition: OpenEdition;
  config: Pick<Config, "resolve" | "assets" | "content">;
  assets: AssetFiles;
  assetMetadata: ReadonlyMap<number, AssetMetadataRecord>;
  /** How deep relations are embedded. */
  depth: number;
  richText: RichTextForm | "document";
  /** Whether the body is rendered too. */
  body: boolean;
}

/**
 * A story as the content tree shows it, with its URL; what it shows of other stories is loaded.
 *
 * @param stored its record
 */
export async function resolveLoadedStory(
  stored: StoredStory,
  { edition, config, assets, assetMetadata, depth, richText, body }: ResolveLoadedOptions,
): Promise<Story> {
  const { entry, stories, url } = edition;
  const { uuid, full_slug } = stored.story;
  const settings = { ...config, resolve: { ...config.resolve, depth } };
  const known = new Map([[uuid, stored]]);
  const resolved = await withLoaded({ stories, assets, assetMetadata }, known, (read) => {
    const options = { read, config: settings, target: targets[config.content.target], report: () => undefined };
    const hasAddresses = config.assets.baseUrl !== undefined;
    return createStoryResolver(options, entry).story(uuid, (address) => {
      return hasAddresses ? assets.address(read.asset(address)) : undefined;
    });
  });
  const story = resolved ?? stored.story;
  // Where the upstream sent no content there is none to show: an empty block, so that templates need not ask.
  const content = story.content ?? emptyContent;
  const context = richTextContext(config, url);
  const shown = richText === "document" ? content : withRichTextAs(richText, content, context);
  const own = { ...story, url: url(full_slug), language: entry.language, content: shown as Blok };
  return body ? { ...own, body: bodyToHtml(content as Blok, context) } : own;
}

const emptyContent: Blok = Object.freeze({ _uid: "", component: "" });

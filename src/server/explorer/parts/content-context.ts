import type { KnownStory } from "../../../content/names/known-stories.js";
import { targetTitle } from "../../../content/names/story-title.js";
import { originalAssetUrl } from "../../../content/resolve/asset-urls.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { address, type StoryParameters, storyAddress } from "./page.js";

export interface ContentContext {
  /** The path of a stored picture on this server; undefined if the snapshot lacks it. */
  picture(url: string): string | undefined;
  assetPage(url: string): string | undefined;
  storyName(uuid: string): string | undefined;
  storyPage(uuid: string): string;
  /** The name of a story that the edition lacks, and why: `"Clara" (clara), deleted between generation 3 and 4`. */
  lostStory(uuid: string): string | undefined;
}

export async function contentContext(
  view: GenerationView,
  edition: string,
  parameters: StoryParameters,
  lost: ReadonlyMap<string, KnownStory>,
): Promise<ContentContext> {
  const rows = view.stories(edition);
  await rows.prepareUuids();
  const assets = await view.assets();
  const assetOf = (url: string): AssetRecord | undefined => {
    const path = pathOfAsset(originalAssetUrl(url) ?? url);
    return path === undefined ? undefined : assets.find(path);
  };
  return {
    storyPage: (uuid) => storyAddress(uuid, parameters),
    lostStory: (uuid) => (lost.has(uuid) ? targetTitle(uuid, lost.get(uuid)) : undefined),
    picture: (url) => picturePath(assetOf(url)),
    assetPage(url) {
      const asset = assetOf(url);
      return asset === undefined ? undefined : address(`assets/${asset.key}`);
    },
    storyName(uuid) {
      const row = rows.rowOf(uuid);
      if (row === undefined) return undefined;
      const name = rows.value(row, ["name"]);
      return typeof name === "string" && name !== "" ? name : uuid;
    },
  };
}

/** The path of an asset's picture on this server; undefined if it is no picture or not stored. */
export function picturePath(asset: AssetRecord | undefined): string | undefined {
  if (asset === undefined || asset.hash === null || !asset.type.startsWith("image/")) return undefined;
  const path = pathOfAsset(asset.url);
  return path?.startsWith("/f/") ? path : undefined;
}

function pathOfAsset(url: string): string | undefined {
  const base = "https://asset.invalid";
  return URL.canParse(url, base) ? new URL(url, base).pathname : undefined;
}

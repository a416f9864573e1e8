import type { KnownStory } from "../../../content/names/known-stories.js";
import { targetTitle } from "../../../content/names/story-title.js";
import { originalAssetUrl } from "../../../content/resolve/asset-urls.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { assetPath } from "../../replica/query/asset-index.js";
import { address, type StoryParameters, storyAddress } from "./page.js";

export type ContentContext = Awaited<ReturnType<typeof contentContext>>;

export async function contentContext(
  view: GenerationView,
  edition: string,
  parameters: StoryParameters,
  lost: ReadonlyMap<string, KnownStory>,
) {
  const rows = view.stories(edition);
  await rows.prepareUuids();
  const assets = await view.assets();
  const assetOf = (url: string): AssetRecord | undefined => {
    const path = assetPath(originalAssetUrl(url) ?? url);
    return path === undefined ? undefined : assets.find(path);
  };
  return {
    storyPage: (uuid: string) => storyAddress(uuid, parameters),
    /** The name of a story that the edition lacks, and why: `"Clara" (clara), deleted between generations 3 and 4`. */
    lostStory: (uuid: string) => (lost.has(uuid) ? targetTitle(uuid, lost.get(uuid)) : undefined),
    /** The path of a stored picture on this server; undefined if the snapshot lacks it. */
    picture: (url: string) => picturePath(assetOf(url)),
    assetPage(url: string): string | undefined {
      const asset = assetOf(url);
      return asset === undefined ? undefined : address(`assets/${asset.key}`);
    },
    storyName(uuid: string): string | undefined {
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
  const path = assetPath(asset.url);
  return path?.startsWith("/f/") ? path : undefined;
}

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
}

export async function contentContext(
  view: GenerationView,
  edition: string,
  parameters: StoryParameters,
): Promise<ContentContext> {
  const rows = view.stories(edition);
  await rows.prepareUuids();
  const assets = await view.assets();
  const assetOf = (url: string): AssetRecord | undefined => {
    if (!URL.canParse(url, "https://asset.invalid")) return undefined;
    return assets.find(new URL(originalAssetUrl(url) ?? url, "https://asset.invalid").pathname);
  };
  return {
    storyPage: (uuid) => storyAddress(uuid, parameters),
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
  if (!URL.canParse(asset.url, "https://asset.invalid")) return undefined;
  const { pathname } = new URL(asset.url, "https://asset.invalid");
  return pathname.startsWith("/f/") ? pathname : undefined;
}

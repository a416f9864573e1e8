import { originalAssetUrl } from "../../../content/resolve/asset-urls.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { address, type StoryParameters, storyAddress } from "./page.js";

export interface ContentContext {
  /** The path of a stored picture on this server; undefined if the snapshot lacks it. */
  picture(url: string): string | undefined;
  /** The page of an asset; undefined if the generation lacks it. */
  assetPage(url: string): string | undefined;
  /** The name of a story of the edition; undefined if missing. */
  storyName(uuid: string): string | undefined;
  storyPage(uuid: string): string;
}

/** @param parameters language and version, for links between stories of the edition */
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
    picture: (url) => {
      const asset = assetOf(url);
      return asset === undefined ? undefined : picturePath(asset);
    },
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
export function picturePath({ hash, type, url }: AssetRecord): string | undefined {
  if (hash === null || !type.startsWith("image/") || !URL.canParse(url, "https://asset.invalid")) return undefined;
  const { pathname } = new URL(url, "https://asset.invalid");
  return pathname.startsWith("/f/") ? pathname : undefined;
}

import { originalAssetUrl } from "../../../content/resolve/asset-urls.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { address, type StoryParameters, storyAddress } from "./page.js";

/** What showing content needs to know of the generation. */
export interface ContentContext {
  /** The path of a picture that the snapshot has, on this server; undefined where it has none. */
  picture(url: string): string | undefined;
  /** The page of an asset; undefined where the generation does not know it. */
  assetPage(url: string): string | undefined;
  /** The name of a story of the edition; undefined where there is none. */
  storyName(uuid: string): string | undefined;
  /** The page of a story of the edition. */
  storyPage(uuid: string): string;
}

/**
 * What showing the content of an edition needs to know; made ready, so that nothing waits while a page is rendered.
 * @param parameters what leads from one story of the edition to another: its language and version
 */
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

/** Where this server has the picture of an asset; undefined where it is no picture, or the snapshot has no bytes of it. */
export function picturePath({ hash, type, url }: AssetRecord): string | undefined {
  if (hash === null || !type.startsWith("image/") || !URL.canParse(url, "https://asset.invalid")) return undefined;
  const { pathname } = new URL(url, "https://asset.invalid");
  return pathname.startsWith("/f/") ? pathname : undefined;
}

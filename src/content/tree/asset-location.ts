import type { Config } from "../../config/config.js";
import { assetFile } from "../../snapshot/layout.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import { assetsBase } from "./content-settings.js";

/**
 * The addresses of asset files in content: below `assets.baseUrl`, or relative to the content file.
 *
 * @returns a function of the asset's URL and of the path of the content file; it gives a percent-encoded URL
 * reference, or undefined for an asset that is not known or could not be fetched
 */
export function assetLocations(
  reader: Pick<NotedReader, "asset">,
  config: Config,
): (url: string, path: string) => string | undefined {
  const base = assetsBase(config);
  return (url, path) => {
    const asset = reader.asset(url);
    if (asset === undefined || asset.hash === null) return undefined;
    const file = assetPath(asset.hash, asset.name).split("/").map(encodeURIComponent).join("/");
    return isRelative(config) ? `${"../".repeat(depthOf(path))}${base}${file}` : `${base}${file}`;
  };
}

/** True if an asset has one address in the content files at two paths. */
export function haveSameAddresses(config: Config, path: string, other: string): boolean {
  return !isRelative(config) || depthOf(path) === depthOf(other);
}

function isRelative({ assets }: Config): boolean {
  return assets.baseUrl === undefined;
}

/** The number of folders above a content file. */
function depthOf(path: string): number {
  return path.split("/").length - 1;
}

/** Path of an asset's file below its folder: `<hash>/<name>`. */
export function assetPath(hash: string, name: string): string {
  return assetFile(hash, name).split("/").slice(1).join("/");
}

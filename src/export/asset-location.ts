import type { Config } from "../config/config.js";
import type { Reader } from "../reader/reader.js";
import { assetFile } from "../snapshot/layout.js";
import { assetsBase } from "./content-index.js";

/**
 * Where content finds the files of assets: below `assets.baseUrl`, or relative to the content file. Assets that are
 * not known or could not be fetched have none.
 *
 * @returns a function of the asset's URL and the content file's path, giving a URL reference, percent-encoded
 */
export function assetLocations(reader: Reader, config: Config): (url: string, path: string) => string | undefined {
  const base = assetsBase(config);
  const isRelative = config.assets.baseUrl === undefined;
  return (url, path) => {
    const asset = reader.asset(url);
    if (asset === undefined || asset.hash === null) return undefined;
    const [, ...below] = assetFile(asset.hash, asset.name).split("/");
    const file = below.map(encodeURIComponent).join("/");
    return isRelative ? `${"../".repeat(path.split("/").length - 1)}${base}${file}` : `${base}${file}`;
  };
}

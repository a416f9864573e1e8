import type { AssetRecord } from "../../../snapshot/manifest.js";
import { assetUsers } from "../facts/asset-users.js";
import type { GlobalRule } from "../facts/rule.js";
import { assetHash } from "../facts/shard-facts.js";

export const assetGone: GlobalRule = {
  code: "ASSET_GONE",
  level: "error",
  about: "A story uses an asset that was deleted upstream (403, 404, 410). Found only if assets are downloaded.",
  hint: "Replace it with another file.",
  check(space, report) {
    const gone = new Map(space.assets.filter(isGone).map((asset) => [assetHash(asset.url), asset]));
    for (const [hash, users] of assetUsers(space, new Set(gone.keys()))) {
      const { url, status } = gone.get(hash)!;
      const message = `The asset ${url} was deleted upstream${status === undefined ? "" : ` (${status})`}.`;
      for (const story of users) report({ story, wrong: url, message });
    }
  },
};

function isGone({ missing, status, hash }: AssetRecord): boolean {
  return missing === "gone" || (hash !== null && status !== undefined && status >= 400);
}

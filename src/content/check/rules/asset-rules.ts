import type { AssetRecord } from "../../../snapshot/manifest.js";
import { assetUsers } from "../facts/references.js";
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

export const assetTooLarge: GlobalRule = {
  code: "ASSET_TOO_LARGE",
  level: "warning",
  about: "An asset has more bytes than `check.assetBytes`, or was too large to be downloaded.",
  hint: "Use a smaller file.",
  check({ assets, settings }, report) {
    for (const { url, bytes, uses, missing } of assets) {
      if (missing !== "too-large" && bytes <= settings.assetBytes) continue;
      const size = bytes > 0 ? ` has ${bytes} bytes` : " is larger than assets.maxBytes";
      const users = `${uses} ${uses === 1 ? "record names" : "records name"} it`;
      report({ subject: url, wrong: "size", message: `The asset ${url}${size}; ${users}.` });
    }
  },
};

export const assetUnused: GlobalRule = {
  code: "ASSET_UNUSED",
  level: "info",
  about: "None of the checked stories uses an asset of the snapshot.",
  hint: "Nothing to do if drafts, variants or other records use it.",
  check(space, report) {
    const hashes = new Set(space.assets.map(({ url }) => assetHash(url)));
    const users = assetUsers(space, hashes);
    for (const { url } of space.assets) {
      if (!users.has(assetHash(url)))
        report({ subject: url, wrong: "unused", message: `No story uses the asset ${url}.` });
    }
  },
};

import { assetUsers } from "../facts/asset-users.js";
import type { GlobalRule } from "../facts/rule.js";
import { assetHash } from "../facts/shard-facts.js";

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

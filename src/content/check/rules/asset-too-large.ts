import type { GlobalRule } from "../facts/rule.js";

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

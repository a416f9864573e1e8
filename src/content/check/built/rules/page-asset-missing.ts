import { plural } from "../../../../lib/quantity-text.js";
import type { BuiltReport } from "../built-report.js";
import type { BuiltSite } from "../built-site.js";

/** Each file that is not there once, at the first page that names it. */
export function pageAssetMissing({ missingAssets, redirects, addresses, stories }: BuiltSite): BuiltReport[] {
  const known = new Set([...redirects.map(({ from }) => from), ...stories.map(({ url }) => url)]);
  const answered = new Set([...known].map((address) => addresses.pathOf(address, "/")));
  return [...missingAssets].flatMap(([path, { page, count }]): BuiltReport[] => {
    if (answered.has(path)) return [];
    const others = count > 1 ? `, and so do ${plural(count - 1, "other page")}` : "";
    const message = `The page ${page.address} names ${path}, which the built site does not have${others}.`;
    return [{ code: "PAGE_ASSET_MISSING", story: page.story, subject: page.address, wrong: path, message }];
  });
}

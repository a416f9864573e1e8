import { sizeInAddress } from "../../../content/resolve/asset-fields.js";
import { plural, size } from "../../../lib/quantity-text.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import { type AssetFilter, findAssets, untoldAssets } from "../data/asset-list.js";
import { findingsOf } from "../data/findings.js";
import { picturePath } from "../parts/content-context.js";
import { Choices, Pager } from "../parts/lists.js";
import { address, page } from "../parts/page.js";

const perPage = 48;
const filters: readonly (readonly [AssetFilter, string])[] = [
  ["", "All"],
  ["picture", "Pictures"],
  ["other", "Other files"],
  ["missing", "Not stored"],
  ["unused", "Unused"],
  ["untold", "Without alternative text"],
];
/** Longest wait for a running check, in milliseconds. */
const waitMs = 400;

/** `/assets`: a gallery of the files that content uses. */
export const assetsPage = page({
  path: "assets",
  async load({ space, view, text, page }) {
    const q = text("q").trim();
    const offered = space.check === undefined ? filters.filter(([name]) => name !== "untold") : filters;
    const show = offered.find(([name]) => name === text("show"))?.[0] ?? "";
    const findings = show === "untold" ? await findingsOf(space, "all", waitMs) : "absent";
    const untold = typeof findings === "object" ? await untoldAssets(view, findings) : undefined;
    const found = await findAssets(view, q, show, untold);
    const assets = found.slice((page - 1) * perPage, page * perPage);
    const data = { total: found.length, page, perPage, q, show, assets };
    return { title: "Assets", data, offered, againSeconds: findings === "pending" ? 1 : undefined };
  },
  view: ({ data: { q, show, assets, ...paged }, offered, againSeconds }) => (
    <>
      <h1>Assets</h1>
      <form action={address("assets")} class="line">
        <label for="asset-q">Name</label>
        <input id="asset-q" name="q" type="search" value={q} />
        <input type="hidden" name="show" value={show} />
        <button type="submit">Search assets</button>
      </form>
      <Choices
        label="Which assets"
        choices={offered.map(([name, text]) => [text, name === show, address("assets", { q, show: name })])}
      />
      <p>
        <b>{plural(paged.total, "asset")}</b>
      </p>
      {againSeconds === undefined ? null : (
        <p class="notice">The content is being checked. This page reloads until that is done.</p>
      )}
      <ul class="gallery">
        {assets.map((asset) => (
          <li>
            <a href={address(`assets/${asset.key}`)}>
              <Thumbnail asset={asset} />
              <span class="name" dir="auto">
                {asset.name || asset.url}
              </span>
            </a>
            <span class="quiet">{aboutAsset(asset)}</span>
          </li>
        ))}
      </ul>
      <Pager {...paged} href={(to) => address("assets", { q, show, page: to })} />
    </>
  ),
});

function Thumbnail({ asset }: { asset: AssetRecord }) {
  const src = picturePath(asset);
  if (src !== undefined) return <img src={src} alt="" loading="lazy" />;
  const text = asset.hash === null ? `not stored (${asset.missing ?? "unknown"})` : asset.type;
  return <span class="no-picture">{text}</span>;
}

/** `1200×800 · 120 KB · 3 uses` */
export function aboutAsset(asset: AssetRecord): string {
  const area =
    sizeInAddress(asset.url) ?? (asset.width === undefined ? undefined : { width: asset.width, height: asset.height });
  const pixels = area === undefined ? [] : [`${area.width}×${area.height}`];
  const bytes = asset.hash === null ? [] : [size(asset.bytes)];
  return [...pixels, ...bytes, plural(asset.uses, "use")].join(" · ");
}

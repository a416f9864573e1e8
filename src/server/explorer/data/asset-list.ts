import { altMissing } from "../../../content/check/rules/local-rules.js";
import type { CheckResult } from "../../../content/check/run-check.js";
import { originalAssetUrl } from "../../../content/resolve/asset-urls.js";
import { visitValue } from "../../../content/resolve/rewrite-value.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { isObject } from "../../../lib/shape.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { filterRows } from "../../replica/query/filter-rows.js";
import { rowNumbers } from "../../replica/query/shard-rows.js";
import { type Sliced, sortSliced } from "../../replica/query/slices.js";
import { perGeneration } from "./per-generation.js";

const lists = perGeneration<readonly AssetRecord[]>(1);

function listAssets(view: GenerationView): Promise<readonly AssetRecord[]> {
  return lists(view, "", async () => view.slices.run(byName((await view.assets()).all)));
}

function* byName(assets: readonly AssetRecord[]): Sliced<readonly AssetRecord[]> {
  const names = assets.map(({ name }) => name.toLowerCase());
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const order = yield* sortSliced(rowNumbers(assets.length), (a, b) => compare(names[a]!, names[b]!));
  return Array.from(order, (at) => assets[at]!);
}

const isPicture = ({ type }: AssetRecord) => type.startsWith("image/");
const tests = {
  "": () => true,
  picture: isPicture,
  other: (asset) => !isPicture(asset),
  missing: ({ hash }) => hash === null,
  unused: ({ uses }) => uses === 0,
  untold: ({ url }, untold) => untold.has(url),
} as const satisfies Record<string, (asset: AssetRecord, untold: ReadonlySet<string>) => boolean>;

export type AssetFilter = keyof typeof tests;

/** By name. @param untold addresses of the assets that the filter `untold` shows */
export async function findAssets(
  view: GenerationView,
  search: string,
  filter: AssetFilter,
  untold: ReadonlySet<string> = new Set(),
): Promise<readonly AssetRecord[]> {
  const wanted = search.toLowerCase();
  const fits = (asset: AssetRecord) => tests[filter](asset, untold) && asset.url.toLowerCase().includes(wanted);
  const assets = await listAssets(view);
  const all = { count: assets.length, size: () => 0 };
  const selected = filterRows(rowNumbers(assets.length), all, { all: [(row) => fits(assets[row]!)], any: [] });
  return Array.from(await view.slices.run(selected), (row) => assets[row]!);
}

const found = perGeneration<ReadonlySet<string>>(1);

export function untoldAssets(view: GenerationView, { findings }: CheckResult): Promise<ReadonlySet<string>> {
  return found(view, "", async () => {
    const users = new Map<string, Set<string>>();
    for (const { code, story } of findings) {
      if (code !== altMissing.code || story === null) continue;
      inMap(users, story.edition, () => new Set()).add(story.uuid);
    }
    const addresses = new Set<string>();
    for (const [edition, uuids] of users) {
      await view.stories(edition).prepareUuids();
      await view.slices.run(addUntold(view, edition, uuids, addresses));
    }
    return addresses;
  });
}

function* addUntold(view: GenerationView, edition: string, uuids: Iterable<string>, into: Set<string>): Sliced<void> {
  const rows = view.stories(edition);
  for (const uuid of uuids) {
    const row = rows.rowOf(uuid);
    if (row === undefined) continue;
    visitValue(rows.content(row), (value) => {
      if (!isObject(value)) return;
      altMissing.object?.(value, (wrong) => {
        const address = originalAssetUrl(wrong.replace(/^\d* /, ""));
        if (address !== undefined) into.add(address);
      });
    });
    yield;
  }
}

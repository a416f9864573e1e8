import { altMissing } from "../../../content/check/rules/local-rules.js";
import type { CheckResult } from "../../../content/check/run-check.js";
import { originalAssetUrl } from "../../../content/resolve/asset-urls.js";
import { visitValue } from "../../../content/resolve/rewrite-value.js";
import { isObject } from "../../../lib/shape.js";
import { parts } from "../../../snapshot/layout.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { createColumnStore } from "../../replica/query/columns.js";
import { createShardRows, rowNumbers, type ShardRows } from "../../replica/query/shard-rows.js";
import { type Sliced, sortSliced } from "../../replica/query/slices.js";
import { perGeneration } from "./per-generation.js";

export interface AssetList {
  rows: ShardRows;
  order: Uint32Array;
}

const lists = perGeneration<AssetList>(1);
const columns = createColumnStore();

export function listAssets(view: GenerationView): Promise<AssetList> {
  return lists(view, "", async () => {
    const rows = createShardRows(view.reader.shards(parts.assets), columns, view.slices);
    return { rows, order: await view.slices.run(byName(rows)) };
  });
}

function* byName(rows: ShardRows): Sliced<Uint32Array> {
  const name = (yield* rows.prepare([["name"]])).field(["name"]);
  const text = (row: number) => String(name(row) ?? "").toLowerCase();
  return yield* sortSliced(rowNumbers(rows.count), (a, b) => (text(a) < text(b) ? -1 : Number(text(a) > text(b))));
}

export type AssetFilter = "" | "missing" | "unused" | "picture" | "other" | "untold";

/** @param untold addresses of the assets that the filter `untold` shows */
export async function findAssets(
  view: GenerationView,
  search: string,
  filter: AssetFilter,
  untold: ReadonlySet<string> = new Set(),
): Promise<Uint32Array> {
  const { rows, order } = await listAssets(view);
  if (search === "" && filter === "") return order;
  return view.slices.run(fitting({ rows, order }, search.toLowerCase(), filter, untold));
}

function* fitting(
  { rows, order }: AssetList,
  search: string,
  filter: AssetFilter,
  untold: ReadonlySet<string>,
): Sliced<Uint32Array> {
  const ready = yield* rows.prepare([["url"], ["hash"], ["uses"], ["type"]]);
  const [url, hash, uses, type] = [["url"], ["hash"], ["uses"], ["type"]].map((path) => ready.field(path));
  const tests: Readonly<Record<AssetFilter, (row: number) => boolean>> = {
    "": () => true,
    missing: (row) => typeof hash!(row) !== "string",
    unused: (row) => uses!(row) === 0,
    picture: (row) => String(type!(row)).startsWith("image/"),
    untold: (row) => untold.has(String(url!(row))),
    other: (row) => !String(type!(row)).startsWith("image/"),
  };
  const test = tests[filter];
  const found: number[] = [];
  for (const [place, row] of order.entries()) {
    if (test(row) && (search === "" || String(url!(row)).toLowerCase().includes(search))) found.push(row);
    if (place % 256 === 0) yield;
  }
  return Uint32Array.from(found);
}

export function assetAt({ rows }: AssetList, row: number): AssetRecord {
  return JSON.parse(rows.text(row)) as AssetRecord;
}

const found = perGeneration<ReadonlySet<string>>(1);

export function untoldAssets(view: GenerationView, { findings }: CheckResult): Promise<ReadonlySet<string>> {
  return found(view, "", async () => {
    const users = new Map<string, Set<string>>();
    for (const { code, story } of findings) {
      if (code !== altMissing.code || story === null) continue;
      users.set(story.edition, (users.get(story.edition) ?? new Set()).add(story.uuid));
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

import { type AssetUses, countAssetUses } from "../../content/resolve/asset-urls.js";
import { contentHash } from "../../lib/content-hash.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { RecordTexts } from "../../snapshot/part-changes.js";

export interface AssetPlanInput {
  uses?: AssetUses | undefined;
  /** Other records that differ from the previous generation, of all editions; all, if `previous` is empty. */
  changes: Iterable<RecordTexts> | AsyncIterable<RecordTexts>;
  /** The lines of part `assets` of the previous generation; empty if there is none. */
  previous: Iterable<{ line: string }> | AsyncIterable<{ line: string }>;
  download: boolean;
  maxBytes: number;
  isAllowed: (url: string) => boolean;
  isPresent: (record: AssetRecord) => boolean;
  /** Completes the record of a stored asset with what its bytes show, for example its size. */
  completed?: ((record: AssetRecord) => Promise<AssetRecord>) | undefined;
  /** True if assets that were deleted or too large are fetched again. */
  retryAll?: boolean;
  fetched?: ReadonlyMap<string, AssetRecord> | undefined;
  /** Which of the stored or deleted assets are checked again; undefined: none. */
  audit?: AssetAudit | undefined;
}

export interface AssetAudit {
  /** Key of the last asset that was checked; "" starts with the first one. */
  after: string;
  count: number;
}

/** An asset that records name, and what to do about it. */
export interface PlannedAsset {
  /** As it stays without a request; for `fetch`, the blank record that a download completes. */
  record: AssetRecord;
  /** Its line in the previous generation; undefined for a new asset. */
  earlier: string | undefined;
  /** `check`: it is stored, and checked for a change. */
  step: "nothing" | "fetch" | "check";
}

export interface AssetPlan {
  assets: PlannedAsset[];
  /** Keys of the records that nothing uses any more. */
  unused: string[];
  auditedTo: string;
}

/** Decides without a request which assets to fetch, and how the other records of part `assets` change. */
export async function planAssets(input: AssetPlanInput): Promise<AssetPlan> {
  const uses = input.uses ?? countAssetUses();
  for await (const change of input.changes) uses.note(change);
  const { gains } = uses;
  const assets: PlannedAsset[] = [];
  const unused: string[] = [];
  for await (const { line } of input.previous) {
    const earlier = JSON.parse(line) as AssetRecord;
    const uses = earlier.uses + (gains.get(earlier.url) ?? 0);
    gains.delete(earlier.url);
    if (uses <= 0) unused.push(earlier.key);
    else assets.push(await planned({ ...earlier, uses }, line, input));
  }
  const auditedTo = planAudit(assets, input);
  for (const [url, uses] of gains) {
    if (uses > 0) assets.push(await planned(newRecord(url, uses), undefined, input));
  }
  return { assets, unused, auditedTo };
}

export function isKept({ hash, status }: AssetRecord): boolean {
  return hash !== null && status !== undefined;
}

function newRecord(url: string, uses: number): AssetRecord {
  return { key: contentHash(url), url, hash: null, name: "", type: "", bytes: 0, uses };
}

async function planned(record: AssetRecord, earlier: string | undefined, input: AssetPlanInput): Promise<PlannedAsset> {
  const settled = settle(record, input);
  if (settled === undefined) return { record: newRecord(record.url, record.uses), earlier, step: "fetch" };
  return { record: (await input.completed?.(settled)) ?? settled, earlier, step: "nothing" };
}

/** The record as it stays without a request; undefined: the asset is fetched. */
function settle(record: AssetRecord, input: AssetPlanInput): AssetRecord | undefined {
  if (record.hash !== null && input.isPresent(record)) return record;
  const blank = newRecord(record.url, record.uses);
  if (!input.isAllowed(record.url)) return { ...blank, missing: "not-allowed" };
  if (!input.download) return { ...blank, missing: "left" };
  const resumed = input.fetched?.get(record.key);
  if (resumed !== undefined && input.isPresent(resumed)) return { ...resumed, uses: record.uses };
  const hopeless = record.missing === "gone" || (record.missing === "too-large" && record.bytes > input.maxBytes);
  return hopeless && !input.retryAll ? record : undefined;
}

/** Plans the next checks in key order: a stored asset may have changed, a deleted one may be back. @returns the last */
function planAudit(assets: readonly PlannedAsset[], { audit, isAllowed }: AssetPlanInput): string {
  if (audit === undefined) return "";
  const isAuditable = ({ hash, missing, url }: AssetRecord) => (hash !== null || missing === "gone") && isAllowed(url);
  const sorted = assets
    .filter(({ step, record }) => step === "nothing" && isAuditable(record))
    .sort((a, b) => (a.record.key < b.record.key ? -1 : 1));
  const from = Math.max(
    0,
    sorted.findIndex(({ record }) => record.key > audit.after),
  );
  const audited = [...sorted.slice(from), ...sorted.slice(0, from)].slice(0, audit.count);
  for (const asset of audited) {
    const { hash, url, uses } = asset.record;
    asset.step = hash === null ? "fetch" : "check";
    if (hash === null) asset.record = newRecord(url, uses);
  }
  return audited.at(-1)?.record.key ?? audit.after;
}

import type { Config } from "../../config/config.js";
import { assetUrls } from "../../content/resolve/asset-urls.js";
import { inMap } from "../../lib/collections/in-map.js";
import type { Problem } from "../../lib/errors.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { RecordTexts } from "../../snapshot/part-changes.js";
import type { AssetPlan, PlannedAsset } from "./asset-plan.js";
import { assetProblems, namedAssets } from "./asset-problems.js";

/** How many assets the space has, and what happened to them. */
export interface AssetReport {
  /** Different URLs in the content: the sum of the next six. */
  total: number;
  /** Fetched this time. */
  downloaded: number;
  /** Fetched earlier and still stored, including those that were deleted upstream. */
  reused: number;
  /** Not fetched because of a fault, or too large. */
  failed: number;
  /** Deleted upstream before they could be fetched. */
  gone: number;
  /** Not fetched because `assets.download` is off. */
  left: number;
  /** Not fetched because `assets.hosts` does not allow their host. */
  notAllowed: number;
  /** Bytes fetched this time. */
  bytes: number;
}

export interface FetchedAssets {
  /** Changes of part `assets`: key → new line, or null for an asset that nothing uses any more. */
  changes: Map<string, string | null>;
  report: AssetReport;
  problems: Problem[];
  /** Number of assets that the next sync tries again: those that failed and are not too large. */
  open: number;
  /** Key of the asset that the audit reached; empty: the last one. */
  auditedTo: string;
}

/** An asset with its record after this sync. */
export interface AssetOutcome extends Pick<PlannedAsset, "record" | "earlier"> {
  /** True if bytes were fetched. */
  brought: boolean;
  /** What happened, if it was requested in vain. */
  reason?: string;
}

export interface FetchedAssetsOptions {
  config: Pick<Config, "assets">;
  /** All records, as changes with `after`; read to name the stories that use an asset that failed. */
  records?: () => AsyncIterable<RecordTexts> | Iterable<RecordTexts>;
}

export async function fetchedAssets(
  { unused, auditedTo }: AssetPlan,
  outcomes: readonly AssetOutcome[],
  options: FetchedAssetsOptions,
): Promise<FetchedAssets> {
  const changes = new Map<string, string | null>(unused.map((key) => [key, null]));
  const reasons = new Map<string, string>();
  for (const { record, earlier, reason } of outcomes) {
    const line = JSON.stringify(record);
    if (line !== earlier) changes.set(record.key, line);
    if (reason !== undefined) reasons.set(record.key, reason);
  }
  const records = outcomes.map(({ record }) => record);
  const count = (...kinds: AssetRecord["missing"][]) => records.filter(({ missing }) => kinds.includes(missing)).length;
  const brought = outcomes.filter((one) => one.brought);
  const report: AssetReport = {
    total: records.length,
    downloaded: brought.length,
    reused: count(undefined) - brought.length,
    failed: count("failed", "too-large"),
    gone: count("gone"),
    left: count("left"),
    notAllowed: count("not-allowed"),
    bytes: brought.reduce((sum, { record }) => sum + record.bytes, 0),
  };
  const known = { reasons, users: await usersOf(namedAssets(records), options) };
  const problems = assetProblems(records, known, options.config.assets);
  return { changes, report, problems, open: count("failed"), auditedTo };
}

/** Full slugs of the stories that use these assets, by URL: each slug once, in the order of the records. */
async function usersOf(
  assets: readonly AssetRecord[],
  { records }: FetchedAssetsOptions,
): Promise<Map<string, readonly string[]>> {
  const users = new Map<string, Set<string>>();
  if (records === undefined || assets.length === 0) return new Map();
  const urls = new Set(assets.map(({ url }) => url));
  // A record is parsed only when its text has the last segment of a URL: searching is faster than parsing.
  const ends = [...urls].map((url) => JSON.stringify(url.slice(url.lastIndexOf("/") + 1)).slice(1, -1));
  for await (const { after } of records()) {
    if (after === null || !ends.some((end) => after.includes(end))) continue;
    const record = JSON.parse(after) as { full_slug?: unknown };
    const slug = typeof record.full_slug === "string" ? record.full_slug : "";
    for (const url of assetUrls(record)) {
      if (urls.has(url)) inMap(users, url, () => new Set()).add(slug);
    }
  }
  return new Map([...users].map(([url, slugs]) => [url, [...slugs]]));
}

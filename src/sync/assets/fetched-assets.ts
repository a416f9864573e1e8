import type { Config } from "../../config/config.js";
import { assetUrls } from "../../content/resolve/asset-urls.js";
import type { Problem } from "../../lib/errors.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { RecordTexts } from "../../snapshot/part-changes.js";
import { type AssetPlan, isKept } from "./asset-plan.js";
import { assetProblems } from "./asset-problems.js";

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

export interface Completed {
  record: AssetRecord;
  /** True if bytes were fetched. */
  brought: boolean;
  reason?: string;
  /** The record that this one replaces, after a check. */
  replaces?: AssetRecord;
}

export interface FetchedAssetsOptions {
  config: Pick<Config, "assets">;
  /** All records, as changes with `after`; read to name the stories that use an asset that failed. */
  records?: () => AsyncIterable<RecordTexts> | Iterable<RecordTexts>;
}

export async function fetchedAssets(
  plan: AssetPlan,
  completed: readonly Completed[],
  options: FetchedAssetsOptions,
): Promise<FetchedAssets> {
  const changes = new Map(plan.changes);
  const reasons = new Map<string, string>();
  const missing = [...plan.settled.missing];
  const kept = new Map(plan.settled.kept.map((record) => [record.key, record]));
  for (const { record, reason, replaces } of completed) {
    const line = JSON.stringify(record);
    if (replaces !== undefined || line !== plan.earlierLines.get(record.key)) changes.set(record.key, line);
    if (reason !== undefined) reasons.set(record.key, reason);
    if (record.missing !== undefined) missing.push(record);
    else if (isKept(record)) kept.set(record.key, record);
    else kept.delete(record.key);
  }
  const count = (...kinds: AssetRecord["missing"][]) =>
    missing.filter((record) => kinds.includes(record.missing)).length;
  const brought = completed.filter((one) => one.brought);
  const asked = completed.filter(({ replaces }) => replaces === undefined);
  const report: AssetReport = {
    total: plan.settled.downloaded + plan.settled.missing.length + asked.length,
    downloaded: brought.length,
    reused: plan.settled.downloaded - brought.filter(({ replaces }) => replaces !== undefined).length,
    failed: count("failed", "too-large"),
    gone: count("gone"),
    left: count("left"),
    notAllowed: count("not-allowed"),
    bytes: brought.reduce((sum, { record }) => sum + record.bytes, 0),
  };
  const known = { reasons, users: await usersOf([...missing.filter(isLost), ...kept.values()], options) };
  const problems = assetProblems([...missing, ...kept.values()], known, options.config.assets);
  return { changes, report, problems, open: count("failed"), auditedTo: plan.auditedTo };
}

function isLost({ missing: why }: AssetRecord): boolean {
  return why === "failed" || why === "too-large" || why === "gone";
}

/** Full slugs of the stories that use these assets, by URL: each slug once, in the order of the records. */
async function usersOf(
  assets: readonly AssetRecord[],
  { records }: FetchedAssetsOptions,
): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>();
  if (records === undefined || assets.length === 0) return users;
  const urls = new Set(assets.map(({ url }) => url));
  // A record is parsed only when its text has the last segment of a URL: searching is faster than parsing.
  const ends = [...urls].map((url) => JSON.stringify(url.slice(url.lastIndexOf("/") + 1)).slice(1, -1));
  for await (const { after } of records()) {
    if (after === null || !ends.some((end) => after.includes(end))) continue;
    const record = JSON.parse(after) as { full_slug?: unknown };
    const slug = typeof record.full_slug === "string" ? record.full_slug : "";
    for (const url of assetUrls(record)) {
      const known = users.get(url) ?? [];
      if (urls.has(url) && !known.includes(slug)) users.set(url, [...known, slug]);
    }
  }
  return users;
}

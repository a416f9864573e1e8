import { createHash } from "node:crypto";
import { assetUrls } from "../resolve/asset-urls.js";
import type { AssetRecord } from "../snapshot/manifest.js";

/** The canonical JSON line of a record before and after; null where there was or is none. */
export interface RecordChange {
  before: string | null;
  after: string | null;
}

/** What the plan needs to know. */
export interface AssetPlanInput {
  /** Every record that differs from the previous generation, of all editions; all records when `previous` is empty. */
  changes: Iterable<RecordChange> | AsyncIterable<RecordChange>;
  /** The lines of part `assets` of the previous generation. */
  previous: Iterable<{ line: string }> | AsyncIterable<{ line: string }>;
  /** `assets.download`. */
  download: boolean;
  /** `assets.maxBytes`. */
  maxBytes: number;
  /** Whether the URL may be asked. */
  isAllowed: (url: string) => boolean;
  /** Whether the file of a record is where it should be. */
  isPresent: (record: AssetRecord) => boolean;
  /** Ask again for assets that were gone or too large. */
  retryAll: boolean;
}

/** What is to be fetched and what is settled without a request. Every asset of the content is in one of the two. */
export interface AssetPlan {
  /** Records to complete by a download, sorted by URL; `hash` is null. */
  fetch: AssetRecord[];
  /** Records that stand as they are, downloaded or missing, by what they are. */
  settled: { downloaded: number; missing: AssetRecord[] };
  /** Lines of the previous part by key, of every record that may change; absent: a new record. */
  earlierLines: Map<string, string>;
  /** Key → new line, or null for an asset that nothing names any more; for settled records that differ from before. */
  changes: Map<string, string | null>;
}

/** Decides, without a request, which assets to fetch and how the records of part `assets` change otherwise. */
export async function planAssets(input: AssetPlanInput): Promise<AssetPlan> {
  const gains = await countUses(input.changes);
  const plan: AssetPlan = {
    fetch: [],
    settled: { downloaded: 0, missing: [] },
    earlierLines: new Map(),
    changes: new Map(),
  };
  for await (const { line } of input.previous) {
    const earlier = JSON.parse(line) as AssetRecord;
    const uses = earlier.uses + (gains.get(earlier.url) ?? 0);
    gains.delete(earlier.url);
    if (uses <= 0) plan.changes.set(earlier.key, null);
    else place(plan, settle({ ...earlier, uses }, input), line);
  }
  for (const [url, uses] of gains) {
    if (uses > 0) place(plan, settle(newRecord(url, uses), input), undefined);
  }
  plan.fetch.sort((a, b) => (a.url < b.url ? -1 : 1));
  return plan;
}

/** The key of an asset: the hexadecimal SHA-256 of its URL. */
export function assetKey(url: string): string {
  return createHash("sha256").update(url).digest("hex");
}

/** How many more (or fewer) records name each URL than before. A record counts once, however often it names a URL. */
async function countUses(changes: AssetPlanInput["changes"]): Promise<Map<string, number>> {
  const gains = new Map<string, number>();
  for await (const { before, after } of changes) {
    for (const url of urlsOf(before)) gains.set(url, (gains.get(url) ?? 0) - 1);
    for (const url of urlsOf(after)) gains.set(url, (gains.get(url) ?? 0) + 1);
  }
  return gains;
}

function urlsOf(line: string | null): readonly string[] {
  return line === null ? [] : assetUrls(JSON.parse(line));
}

function newRecord(url: string, uses: number): AssetRecord {
  return { key: assetKey(url), url, hash: null, name: "", type: "", bytes: 0, uses };
}

/** The record as it stands without a request, or `fetch` with the record that a download will complete. */
function settle(record: AssetRecord, input: AssetPlanInput): { record: AssetRecord; fetch: boolean } {
  if (record.hash !== null && input.isPresent(record)) return { record, fetch: false };
  const blank = newRecord(record.url, record.uses);
  if (!input.isAllowed(record.url)) return { record: { ...blank, missing: "not-allowed" }, fetch: false };
  if (!input.download) return { record: { ...blank, missing: "left" }, fetch: false };
  const hopeless = record.missing === "gone" || (record.missing === "too-large" && record.bytes > input.maxBytes);
  if (hopeless && !input.retryAll) return { record, fetch: false };
  return { record: blank, fetch: true };
}

function place(plan: AssetPlan, settled: { record: AssetRecord; fetch: boolean }, earlier: string | undefined): void {
  const { record, fetch } = settled;
  const line = JSON.stringify(record);
  if (fetch) {
    plan.fetch.push(record);
    if (earlier !== undefined) plan.earlierLines.set(record.key, earlier);
    return;
  }
  if (record.missing === undefined) plan.settled.downloaded++;
  else plan.settled.missing.push(record);
  if (line !== earlier) plan.changes.set(record.key, line);
}

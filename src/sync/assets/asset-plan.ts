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
  retryAll: boolean;
  fetched?: ReadonlyMap<string, AssetRecord> | undefined;
  /** Which of the stored or deleted assets are checked again; undefined: none. */
  audit?: AssetAudit | undefined;
}

export interface AssetAudit {
  /** Key of the last asset that was checked; "" starts with the first one. */
  after: string;
  count: number;
}

export interface AssetPlan {
  /** Records to complete by a download, sorted by URL; `hash` is null. */
  fetch: AssetRecord[];
  settled: {
    downloaded: number;
    /** Downloaded assets that were deleted upstream. */
    kept: AssetRecord[];
    missing: AssetRecord[];
  };
  /** Downloaded records that are checked for a change, in key order; they are also counted as settled. */
  audit: AssetRecord[];
  auditedTo: string;
  /** The previous line of each record that may change, by key; a new record has none. */
  earlierLines: Map<string, string>;
  /** Changed records that are settled: key → new line; null if nothing uses the asset any more. */
  changes: Map<string, string | null>;
}

/** Decides without a request which assets to fetch, and how the other records of part `assets` change. */
export async function planAssets(input: AssetPlanInput): Promise<AssetPlan> {
  const uses = input.uses ?? countAssetUses();
  for await (const change of input.changes) uses.note(change);
  const { gains } = uses;
  const plan: AssetPlan = {
    fetch: [],
    settled: { downloaded: 0, kept: [], missing: [] },
    audit: [],
    auditedTo: input.audit?.after ?? "",
    earlierLines: new Map(),
    changes: new Map(),
  };
  const here: AssetRecord[] = [];
  for await (const { line } of input.previous) {
    const earlier = JSON.parse(line) as AssetRecord;
    const uses = earlier.uses + (gains.get(earlier.url) ?? 0);
    gains.delete(earlier.url);
    if (uses <= 0) plan.changes.set(earlier.key, null);
    else {
      const settled = await completed(settle({ ...earlier, uses }, input), input);
      place(plan, settled, line);
      if (!settled.fetch && isAuditable(settled.record) && input.isAllowed(earlier.url)) here.push(settled.record);
    }
  }
  audit(plan, audited(here, input.audit));
  for (const [url, uses] of gains) {
    if (uses > 0) place(plan, settle(newRecord(url, uses), input), undefined);
  }
  plan.fetch.sort((a, b) => (a.url < b.url ? -1 : 1));
  return plan;
}

export function isKept({ hash, status }: AssetRecord): boolean {
  return hash !== null && status !== undefined;
}

function newRecord(url: string, uses: number): AssetRecord {
  return { key: contentHash(url), url, hash: null, name: "", type: "", bytes: 0, uses };
}

/** A record as it stays without a request, or with `fetch` the blank record that a download completes. */
interface Settled {
  record: AssetRecord;
  fetch: boolean;
}

function settle(record: AssetRecord, input: AssetPlanInput): Settled {
  if (record.hash !== null && input.isPresent(record)) return { record, fetch: false };
  const blank = newRecord(record.url, record.uses);
  if (!input.isAllowed(record.url)) return { record: { ...blank, missing: "not-allowed" }, fetch: false };
  if (!input.download) return { record: { ...blank, missing: "left" }, fetch: false };
  const resumed = input.fetched?.get(record.key);
  if (resumed !== undefined && input.isPresent(resumed))
    return { record: { ...resumed, uses: record.uses }, fetch: false };
  const hopeless = record.missing === "gone" || (record.missing === "too-large" && record.bytes > input.maxBytes);
  if (hopeless && !input.retryAll) return { record, fetch: false };
  return { record: blank, fetch: true };
}

async function completed(settled: Settled, input: AssetPlanInput): Promise<Settled> {
  if (settled.fetch || input.completed === undefined) return settled;
  return { ...settled, record: await input.completed(settled.record) };
}

/** A stored asset may have changed upstream; a deleted one may be back. */
function isAuditable({ hash, missing }: AssetRecord): boolean {
  return hash !== null || missing === "gone";
}

/** Adds the checks: stored assets are checked for a change, deleted ones are fetched again. */
function audit(plan: AssetPlan, records: readonly AssetRecord[]): void {
  plan.audit = records.filter(({ hash }) => hash !== null);
  plan.auditedTo = records.at(-1)?.key ?? plan.auditedTo;
  const gone = new Set(records.filter(({ hash }) => hash === null));
  plan.settled.missing = plan.settled.missing.filter((record) => !gone.has(record));
  for (const record of gone) {
    plan.fetch.push(newRecord(record.url, record.uses));
    plan.earlierLines.set(record.key, JSON.stringify(record));
  }
}

function audited(records: readonly AssetRecord[], audit: AssetAudit | undefined): AssetRecord[] {
  if (audit === undefined) return [];
  const sorted = [...records].sort((a, b) => (a.key < b.key ? -1 : 1));
  const start = sorted.findIndex(({ key }) => key > audit.after);
  const from = start === -1 ? 0 : start;
  return [...sorted.slice(from), ...sorted.slice(0, from)].slice(0, audit.count);
}

function place(plan: AssetPlan, settled: Settled, earlier: string | undefined): void {
  const { record, fetch } = settled;
  const line = JSON.stringify(record);
  if (fetch) {
    plan.fetch.push(record);
    if (earlier !== undefined) plan.earlierLines.set(record.key, earlier);
    return;
  }
  if (record.missing === undefined) plan.settled.downloaded++;
  else plan.settled.missing.push(record);
  if (isKept(record)) plan.settled.kept.push(record);
  if (line !== earlier) plan.changes.set(record.key, line);
}

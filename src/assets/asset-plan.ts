import { createHash } from "node:crypto";
import type { AssetRecord } from "../snapshot/manifest.js";
import { type AssetUses, countAssetUses, type RecordChange } from "./asset-uses.js";

/** What the plan needs to know. */
export interface AssetPlanInput {
  /** What was counted already of those that differ. */
  uses?: AssetUses | undefined;
  /** Every other record that differs from the previous generation, of all editions; all when `previous` is empty. */
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
  /** By key: what an interrupted sync fetched. */
  fetched?: ReadonlyMap<string, AssetRecord> | undefined;
  /** How many of those that are here or gone are asked whether they are what they were, from which key on. */
  audit?: AssetAudit | undefined;
}

/** Which assets are asked again. */
export interface AssetAudit {
  /** Key of the last one that was asked; "": from the first. */
  after: string;
  count: number;
}

/** What is to be fetched and what is settled without a request. Every asset of the content is in one of the two. */
export interface AssetPlan {
  /** Records to complete by a download, sorted by URL; `hash` is null. */
  fetch: AssetRecord[];
  /** Records that stand as they are, downloaded or missing, by what they are. */
  settled: {
    downloaded: number;
    /** Those of the downloaded ones that were gone upstream when they were asked about. */
    kept: AssetRecord[];
    missing: AssetRecord[];
  };
  /** Downloaded records, settled too, that are asked whether they are what they were; in key order. */
  audit: AssetRecord[];
  /** Key of the last one that the audit asks, those that were gone included. */
  auditedTo: string;
  /** Lines of the previous part by key, of every record that may change; absent: a new record. */
  earlierLines: Map<string, string>;
  /** Key → new line, or null for an asset that nothing names any more; for settled records that differ from before. */
  changes: Map<string, string | null>;
}

/** Decides, without a request, which assets to fetch and how the records of part `assets` change otherwise. */
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
      const settled = settle({ ...earlier, uses }, input);
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

/** The key of an asset: the hexadecimal SHA-256 of its URL. */
export function assetKey(url: string): string {
  return createHash("sha256").update(url).digest("hex");
}

/** Whether an asset is here that is gone upstream. */
export function isKept({ hash, status }: AssetRecord): boolean {
  return hash !== null && status !== undefined;
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
  const resumed = input.fetched?.get(record.key);
  if (resumed !== undefined && input.isPresent(resumed))
    return { record: { ...resumed, uses: record.uses }, fetch: false };
  const hopeless = record.missing === "gone" || (record.missing === "too-large" && record.bytes > input.maxBytes);
  if (hopeless && !input.retryAll) return { record, fetch: false };
  return { record: blank, fetch: true };
}

/** What is here may have changed, what is gone may be back. */
function isAuditable({ hash, missing }: AssetRecord): boolean {
  return hash !== null || missing === "gone";
}

/** Asks for these again: for those that are here whether they changed, for those that are gone as for new ones. */
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

/** The next ones in key order, and from the first again behind the last. */
function audited(records: readonly AssetRecord[], audit: AssetAudit | undefined): AssetRecord[] {
  if (audit === undefined) return [];
  const sorted = [...records].sort((a, b) => (a.key < b.key ? -1 : 1));
  const start = sorted.findIndex(({ key }) => key > audit.after);
  const from = start === -1 ? 0 : start;
  return [...sorted.slice(from), ...sorted.slice(0, from)].slice(0, audit.count);
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
  if (isKept(record)) plan.settled.kept.push(record);
  if (line !== earlier) plan.changes.set(record.key, line);
}

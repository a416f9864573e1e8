import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Config } from "../config/config.js";
import type { Problem } from "../errors.js";
import type { AssetRecord } from "../snapshot/manifest.js";
import { mapBounded } from "../store/map-bounded.js";
import type { Store } from "../store/store.js";
import type { Transport } from "../upstream/transport.js";
import { type AssetHosts, assetTarget, parseUrl } from "./asset-hosts.js";
import type { AssetJournal } from "./asset-journal.js";
import { assetName } from "./asset-name.js";
import { type AssetAudit, type AssetPlan, planAssets } from "./asset-plan.js";
import { assetProblems } from "./asset-problems.js";
import { assetUsers } from "./asset-users.js";
import type { AssetUses, RecordChange } from "./asset-uses.js";
import {
  type DownloadContext,
  type DownloadedAsset,
  downloadAsset,
  type MissingAsset,
  type UnchangedAsset,
} from "./download-asset.js";
import { isPageInstead, mediaType } from "./media-type.js";

/** What {@link fetchAssets} works with. */
export interface FetchAssetsOptions {
  /**
   * Every story record that differs from the previous generation, of all editions and variants; every record (with
   * `before` null) when that generation has no part `assets`.
   */
  changes: Iterable<RecordChange> | AsyncIterable<RecordChange>;
  /** What was counted already of those that differ; `changes` are the others then. */
  uses?: AssetUses | undefined;
  /** The lines of part `assets` of the previous generation; empty when there is none. */
  previous: Iterable<{ line: string }> | AsyncIterable<{ line: string }>;
  config: Pick<Config, "assets" | "queue">;
  /** Origin that the upstream answers at (of `demo:`: where it was started). */
  sourceOrigin: string;
  /** Asset hosts of the upstream's region; none for other upstreams. */
  sourceHosts?: readonly string[];
  /** Host → origin to ask instead. */
  hostMap?: Readonly<Record<string, string>>;
  transport: Pick<Transport, "download">;
  /** Holds the asset files. */
  store: Store;
  /** How asset files are named in that store: the folder that holds all of them, and the file of one. */
  files: { folder: string; fileOf: (hash: string, name: string) => string };
  /** Ask again also for what was gone or too large. */
  retryAll?: boolean;
  /** What an interrupted sync fetched, and where this one notes what it fetches. */
  journal?: AssetJournal;
  /** Which of the assets that are here are asked whether their bytes are what they were; default: none. */
  audit?: AssetAudit;
  /** Every record, as `after`: read to say which stories use an asset that failed. */
  records?: () => AsyncIterable<RecordChange> | Iterable<RecordChange>;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ n < 1 */
  random?: () => number;
}

/** The assets of the space in numbers. */
export interface AssetReport {
  /** Different URLs in the content: the sum of the next six. */
  total: number;
  /** Fetched this time. */
  downloaded: number;
  /** Fetched earlier, and here. */
  reused: number;
  /** Not fetched because of a fault, or too large. */
  failed: number;
  /** Deleted upstream. */
  gone: number;
  /** Not fetched because `assets.download` is off. */
  left: number;
  /** Not fetched because `assets.hosts` does not allow their host. */
  notAllowed: number;
  /** Bytes fetched this time. */
  bytes: number;
}

/** What {@link fetchAssets} did. */
export interface FetchedAssets {
  /** Changes of part `assets`: key → new line, or null for an asset that nothing names any more. */
  changes: Map<string, string | null>;
  report: AssetReport;
  problems: Problem[];
  /** Key of the last asset of the audit; that of the audit itself where there was nothing to ask. */
  auditedTo: string;
}

/**
 * Brings part `assets` up to the stories: fetches what they name and the store lacks, puts the files, and returns how the
 * part changes. An asset that cannot be had never ends a sync: its record and a problem say why.
 *
 * In memory are at most `queue.concurrency` assets of up to 8 MB, or one larger one.
 *
 * @throws OffprintError of the store (`NO_SPACE`, `OUTPUT_UNUSABLE`), or the reason of the signal
 */
export async function fetchAssets(options: FetchAssetsOptions): Promise<FetchedAssets> {
  const hosts: AssetHosts = {
    hosts: options.config.assets.hosts,
    sourceOrigin: options.sourceOrigin,
    sourceHosts: options.sourceHosts ?? [],
    hostMap: options.hostMap ?? {},
  };
  const sizes = await fileSizes(options);
  const plan = await planAssets({
    uses: options.uses,
    changes: options.changes,
    previous: options.previous,
    download: options.config.assets.download,
    maxBytes: options.config.assets.maxBytes,
    isAllowed: (url) => assetTarget(url, hosts).allowed,
    isPresent: ({ hash, name, bytes }) => hash !== null && sizes.get(options.files.fileOf(hash, name)) === bytes,
    retryAll: options.retryAll ?? false,
    fetched: options.journal?.fetched,
    audit: options.config.assets.download ? options.audit : undefined,
  });
  options.signal?.throwIfAborted();
  try {
    const completed = await fetchAll(plan, hosts, options);
    return await conclude(plan, completed, options);
  } finally {
    await options.journal?.save();
  }
}

/** A record after its download, and why it has no file. */
interface Completed {
  record: AssetRecord;
  reason?: string;
  /** The record of earlier bytes behind the same URL. */
  replaces?: AssetRecord;
}

async function fileSizes({ store, files }: FetchAssetsOptions): Promise<Map<string, number>> {
  const entries = await store.list(files.folder);
  return new Map(entries.map(({ name, size }) => [name, size]));
}

const smallBytes = 8_000_000;

/** Small assets side by side; those that turn out to be larger afterwards, one at a time. */
async function fetchAll(plan: AssetPlan, hosts: AssetHosts, options: FetchAssetsOptions): Promise<Completed[]> {
  const records = plan.fetch;
  const { assets, queue } = options.config;
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const context: DownloadContext = {
    hosts,
    transport: options.transport,
    retries: queue.retries,
    timeoutMs: queue.timeoutMs,
    signal,
    sleep: options.sleep ?? pause,
    random: options.random ?? Math.random,
    strikes: new Map(),
  };
  const completed: Completed[] = [];
  const larger: AssetRecord[] = [];
  const fetchOne = async (record: AssetRecord, maxBytes: number): Promise<void> => {
    try {
      const download = await downloadAsset(record.url, maxBytes, context);
      const isLarger = "missing" in download && download.missing === "too-large" && download.bytes <= assets.maxBytes;
      if (isLarger && maxBytes < assets.maxBytes) return void larger.push(record);
      const done = await complete(record, download, options);
      completed.push(done);
      if (done.record.hash !== null) await options.journal?.note(done.record);
      options.onProgress?.(completed.length, records.length);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  };
  await mapBounded(records, queue.concurrency, (record) => fetchOne(record, Math.min(smallBytes, assets.maxBytes)));
  await mapBounded(larger, 1, (record) => fetchOne(record, assets.maxBytes));
  const auditLater: AssetRecord[] = [];
  const audit = async (record: AssetRecord, maxBytes: number): Promise<void> => {
    const result = await revalidate(record, maxBytes, context, options);
    if (result === "larger" && maxBytes < assets.maxBytes) auditLater.push(record);
    else if (typeof result === "object") completed.push({ record: result, replaces: record });
  };
  await mapBounded(plan.audit, queue.concurrency, (record) => audit(record, Math.min(smallBytes, assets.maxBytes)));
  await mapBounded(auditLater, 1, (record) => audit(record, assets.maxBytes));
  return completed;
}

/**
 * Asks whether the bytes behind a URL are those that are here.
 * @returns the record of the new ones; `larger` where they are larger than `maxBytes`; undefined where they are the same
 *   or cannot be had now: what is here stays
 */
async function revalidate(
  record: AssetRecord,
  maxBytes: number,
  context: DownloadContext,
  options: FetchAssetsOptions,
): Promise<AssetRecord | "larger" | undefined> {
  const download = await downloadAsset(record.url, maxBytes, { ...context, retries: 0 }, record);
  if ("missing" in download) return download.missing === "too-large" ? "larger" : undefined;
  if ("unchanged" in download) return undefined;
  const { etag: _, lastModified: __, ...rest } = record;
  const { record: now } = await complete(rest, download, options);
  return now.missing === undefined && JSON.stringify(now) !== JSON.stringify(record) ? now : undefined;
}

/** @throws the reason of the signal */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Puts the file and fills in the record. */
async function complete(
  record: AssetRecord,
  download: DownloadedAsset | UnchangedAsset | MissingAsset,
  { store, files }: FetchAssetsOptions,
): Promise<Completed> {
  if ("missing" in download) return without(record, download);
  if ("unchanged" in download) {
    return without(record, { missing: "failed", status: 304, reason: "answered 304 unasked", bytes: 0 });
  }
  const { bytes, contentType, etag, lastModified } = download;
  const url = parseUrl(record.url);
  const name = url === undefined ? "file" : assetName(url);
  const type = mediaType(bytes, name, contentType);
  if (isPageInstead(name, type)) {
    return without(record, { missing: "failed", status: 200, reason: "brought a web page instead", bytes: 0 });
  }
  const hash = createHash("sha256").update(bytes).digest("hex");
  await store.put(files.fileOf(hash, name), bytes);
  const validators = {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
  return { record: { ...record, hash, name, type, bytes: bytes.byteLength, ...validators } };
}

function without(record: AssetRecord, { missing, status, reason, bytes }: MissingAsset): Completed {
  return { record: { ...record, bytes, missing, ...(status === null ? {} : { status }) }, reason };
}

/** Joins what was settled without a request and what was fetched. */
async function conclude(
  plan: AssetPlan,
  completed: readonly Completed[],
  options: FetchAssetsOptions,
): Promise<FetchedAssets> {
  const changes = new Map(plan.changes);
  const reasons = new Map<string, string>();
  const missing = [...plan.settled.missing];
  let bytes = 0;
  for (const { record, reason } of completed) {
    const line = JSON.stringify(record);
    if (line !== plan.earlierLines.get(record.key)) changes.set(record.key, line);
    if (reason !== undefined) reasons.set(record.key, reason);
    if (record.missing !== undefined) missing.push(record);
    else bytes += record.bytes;
  }
  const count = (...kinds: AssetRecord["missing"][]) =>
    missing.filter((record) => kinds.includes(record.missing)).length;
  const replaced = completed.filter(({ replaces }) => replaces !== undefined).length;
  const report: AssetReport = {
    total: plan.settled.downloaded + plan.settled.missing.length + completed.length - replaced,
    downloaded: completed.filter(({ record }) => record.missing === undefined).length,
    reused: plan.settled.downloaded - replaced,
    failed: count("failed", "too-large"),
    gone: count("gone"),
    left: count("left"),
    notAllowed: count("not-allowed"),
    bytes,
  };
  const lost = missing.filter(({ missing: why }) => why === "failed" || why === "too-large" || why === "gone");
  const users =
    options.records === undefined || lost.length === 0
      ? new Map<string, string[]>()
      : await assetUsers(new Set(lost.map(({ url }) => url)), options.records());
  const auditedTo = plan.audit.at(-1)?.key ?? options.audit?.after ?? "";
  return { changes, report, problems: assetProblems(missing, { reasons, users }, options.config.assets), auditedTo };
}

import type { Config } from "../../config/config.js";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { sleepUntilAborted } from "../../lib/http/deadline.js";
import type { Transport } from "../../lib/http/transport.js";
import { sizesIn } from "../../snapshot/generation-files.js";
import { assetFile, assetsFolder } from "../../snapshot/layout.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";
import { type AssetFile, openAssetFile } from "./asset-file.js";
import { type AssetHosts, assetTarget, parseUrl } from "./asset-hosts.js";
import type { AssetJournal } from "./asset-journal.js";
import { assetName } from "./asset-name.js";
import { type AssetPlan, type AssetPlanInput, planAssets } from "./asset-plan.js";
import { type DownloadContext, type DownloadedAsset, downloadAsset, type MissingAsset } from "./download-asset.js";
import { type Completed, type FetchedAssets, type FetchedAssetsOptions, fetchedAssets } from "./fetched-assets.js";
import { isPageInstead, mediaType } from "./media-type.js";
import { lacksSize, storedSize } from "./picture-header.js";

export interface FetchAssetsOptions
  extends FetchedAssetsOptions,
    Pick<AssetPlanInput, "uses" | "changes" | "previous" | "audit"> {
  config: Pick<Config, "assets" | "queue">;
  /** Where `assets.hosts` of the configuration leads; for `demo:`, the origin is the address of its server. */
  source: Omit<AssetHosts, "hosts">;
  transport: Pick<Transport, "download">;
  store: Store;
  retryAll?: boolean;
  /** What an interrupted sync fetched. This sync notes its own downloads there, too. */
  journal?: AssetJournal;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal | undefined;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  onWait?: (ms: number) => void;
  random?: () => number;
}

/** An asset that cannot be fetched never ends a sync: its record says why. @throws of the store or the signal */
export async function fetchAssets(options: FetchAssetsOptions): Promise<FetchedAssets> {
  const hosts: AssetHosts = { ...options.source, hosts: options.config.assets.hosts };
  const sizes = await sizesIn(options.store, assetsFolder);
  const plan = await planAssets({
    uses: options.uses,
    changes: options.changes,
    previous: options.previous,
    download: options.config.assets.download,
    maxBytes: options.config.assets.maxBytes,
    isAllowed: (url) => assetTarget(url, hosts).allowed,
    isPresent: ({ hash, name, bytes }) => hash !== null && sizes.get(assetFile(hash, name)) === bytes,
    completed: (record) => withSize(record, options.store),
    retryAll: options.retryAll ?? false,
    fetched: options.journal?.fetched,
    audit: options.config.assets.download ? options.audit : undefined,
  });
  options.signal?.throwIfAborted();
  try {
    const completed = await fetchAll(plan, hosts, options);
    return await fetchedAssets(plan, completed, options);
  } finally {
    await options.journal?.save();
  }
}

async function fetchAll(plan: AssetPlan, hosts: AssetHosts, options: FetchAssetsOptions): Promise<Completed[]> {
  const { queue } = options.config;
  const stop = new AbortController();
  const context: DownloadContext = {
    hosts,
    transport: options.transport,
    retries: queue.retries,
    timeoutMs: queue.timeoutMs,
    signal: options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]),
    sleep(ms, signal) {
      options.onWait?.(ms);
      return (options.sleep ?? sleepUntilAborted)(ms, signal);
    },
    random: options.random ?? Math.random,
    strikes: new Map(),
  };
  const completed: Completed[] = [];
  const eachOf = (records: readonly AssetRecord[], work: (record: AssetRecord) => Promise<void>) =>
    mapBounded(records, queue.concurrency, (record) =>
      work(record).catch((error: unknown) => {
        stop.abort(error);
        throw error;
      }),
    );
  await eachOf(plan.fetch, async (record) => {
    const done = await fetchAsset(record, context, options);
    completed.push(done);
    if (done.record.hash !== null) await options.journal?.note(done.record);
    options.onProgress?.(completed.length, plan.fetch.length);
  });
  await eachOf(plan.audit, async (record) => {
    const done = await revalidate(record, context, options);
    if (done !== undefined) completed.push(done);
  });
  return completed;
}

async function fetchAsset(
  record: AssetRecord,
  context: DownloadContext,
  options: FetchAssetsOptions,
): Promise<Completed> {
  const file = openAssetFile(options.store);
  try {
    const download = await downloadAsset(record.url, options.config.assets.maxBytes, context, file);
    if ("missing" in download) return without(record, download);
    if ("unchanged" in download) {
      return without(record, { missing: "failed", status: 304, reason: "answered 304 unasked", bytes: 0 });
    }
    return await complete(record, download, file, options);
  } finally {
    await file.discard();
  }
}

/** @returns the new record; undefined if nothing changed, or the asset cannot be fetched now */
async function revalidate(
  record: AssetRecord,
  context: DownloadContext,
  options: FetchAssetsOptions,
): Promise<Completed | undefined> {
  const { status: _, ...known } = record;
  const { etag: __, lastModified: ___, width: ____, height: _____, ...blank } = known;
  const file = openAssetFile(options.store);
  try {
    const { maxBytes } = options.config.assets;
    const download = await downloadAsset(record.url, maxBytes, { ...context, retries: 0 }, file, record);
    let now: Completed = { record, brought: false };
    if ("unchanged" in download) now = { record: known, brought: false };
    else if (!("missing" in download)) now = await complete(blank, download, file, options);
    else if (download.missing === "gone" && download.status !== null) {
      now = { record: { ...known, status: download.status }, brought: false, reason: download.reason };
    }
    const isAnother = now.record.missing === undefined && JSON.stringify(now.record) !== JSON.stringify(record);
    return isAnother ? { ...now, replaces: record } : undefined;
  } finally {
    await file.discard();
  }
}

async function complete(
  record: AssetRecord,
  { contentType, etag, lastModified }: DownloadedAsset,
  file: AssetFile,
  options: FetchAssetsOptions,
): Promise<Completed> {
  const url = parseUrl(record.url);
  const name = url === undefined ? "file" : assetName(url);
  const type = mediaType(file.head, name, contentType);
  if (isPageInstead(name, type)) {
    return without(record, { missing: "failed", status: 200, reason: "brought a web page instead", bytes: 0 });
  }
  const hash = await file.keep((hash) => assetFile(hash, name));
  const fetched = { ...record, hash, name, type, bytes: file.size, etag, lastModified };
  return { record: await withSize(fetched, options.store), brought: true };
}

/** The record with the size of its picture, if the address does not contain it. */
async function withSize(record: AssetRecord, store: Store): Promise<AssetRecord> {
  if (record.hash === null || !lacksSize(record)) return record;
  return { ...record, ...(await storedSize(store, assetFile(record.hash, record.name), record.type)) };
}

function without(record: AssetRecord, { missing, status, reason, bytes }: MissingAsset): Completed {
  return { record: { ...record, bytes, missing, status: status ?? undefined }, brought: false, reason };
}

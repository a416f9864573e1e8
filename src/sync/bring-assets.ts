import type { AssetUses } from "../assets/asset-uses.js";
import { hostsOfOrigin } from "../config/region-hosts.js";
import type { CrawlResult } from "../crawl/crawl.js";
import { changedRecords } from "../snapshot/changed-records.js";
import type { ManifestDraft } from "../snapshot/generations.js";
import { assetFile, assetJournalFile, assetsFolder, parts as partNames } from "../snapshot/layout.js";
import type { AssetRecord } from "../snapshot/manifest.js";
import { readPart } from "../snapshot/read-part.js";
import { updatePart } from "../snapshot/update-part.js";
import type { SyncRun } from "./sync-run.js";

/** Fetches the assets that the new records name, and returns the part that lists them. */
export async function bringAssets(
  run: SyncRun,
  draft: ManifestDraft,
  uses: AssetUses | undefined,
  reading: CrawlResult,
) {
  run.onProgress({ kind: "stage", stage: "assets" });
  const { store } = run.output;
  const before = run.readable?.parts[partNames.assets];
  const countsAnew = run.readable !== run.previous;
  const earlier = before === undefined ? [] : readPart(store, partNames.assets, before);
  const [{ fetchAssets }, { openAssetJournal }] = await Promise.all([
    import("../assets/fetch-assets.js"),
    import("../assets/asset-journal.js"),
  ]);
  const fetched = await fetchAssets({
    journal: await openAssetJournal(store, assetJournalFile),
    audit: {
      after: run.state.auditCursor[partNames.assets] ?? "",
      count: assetsToAudit(run, reading),
    },
    records: () => changedRecords(store, undefined, draft),
    uses,
    changes: changedRecords(
      store,
      before === undefined || countsAnew ? undefined : run.readable,
      draft,
      uses === undefined ? "all" : "variants",
    ),
    previous: countsAnew ? withoutUses(earlier) : earlier,
    config: run.config,
    sourceOrigin: new URL(run.url).origin,
    sourceHosts: hostsOfOrigin(new URL(run.url).origin)?.assets ?? [],
    hostMap: run.options.source?.hostMap ?? {},
    transport: { download: (url, download) => run.source.transport().download(url, download) },
    store,
    files: { folder: assetsFolder, fileOf: assetFile },
    retryAll: run.options.full === true,
    ...(run.options.signal === undefined ? {} : { signal: run.options.signal }),
    onWait: (ms) => run.onProgress({ kind: "wait", ms, reason: "an asset is asked for again" }),
    onProgress: (done, total) => run.onProgress({ kind: "advance", stage: "assets", done, total }),
  });
  const part = await updatePart(store, partNames.assets, before, fetched.changes, run.config.output.shardBytes);
  const { report, problems, open, auditedTo } = fetched;
  const { bringAssetMetadata } = await import("./bring-asset-metadata.js");
  const metadataProblems = await bringAssetMetadata(run, draft, reading);
  return { part, report, problems: [...problems, ...metadataProblems], open, auditedTo };
}

/**
 * Counts the uses of assets while the stories are compared, so that they are read once. Undefined where the two look at
 * different stories: the stories of the previous generation are there and its assets are not, or it is damaged.
 */
export async function usesToCount({ previous, readable }: SyncRun): Promise<AssetUses | undefined> {
  if (readable !== previous || (previous !== undefined && previous.parts[partNames.assets] === undefined))
    return undefined;
  const { countAssetUses } = await import("../assets/asset-uses.js");
  return countAssetUses();
}

/** So many assets are asked, where records are audited, whether the bytes behind their URL are what they were. */
const assetsAudited = 25;

function assetsToAudit({ options }: SyncRun, { audited }: CrawlResult): number {
  if (options.full) return Number.POSITIVE_INFINITY;
  return audited ? assetsAudited : 0;
}

/** The assets as they were fetched, to be counted anew: what named them before is not known any more. */
async function* withoutUses(lines: Iterable<{ line: string }> | AsyncIterable<{ line: string }>) {
  for await (const { line } of lines) yield { line: JSON.stringify({ ...(JSON.parse(line) as AssetRecord), uses: 0 }) };
}

import { hostsOfOrigin } from "../config/schema/region-hosts.js";
import type { AssetUses } from "../content/resolve/asset-urls.js";
import { changedRecords } from "../snapshot/compare-stories.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { AssetRecord } from "../snapshot/manifest.js";
import { readPart } from "../snapshot/read-part.js";
import type { ManifestDraft } from "../snapshot/write/commit.js";
import { updatePart } from "../snapshot/write/update-part.js";
import type { FetchedAssets } from "./assets/fetched-assets.js";
import type { Base } from "./base.js";
import type { CrawlResult } from "./crawl/crawl.js";
import type { SyncContext } from "./sync-context.js";

export type BroughtAssets = Omit<FetchedAssets, "changes">;

interface Read {
  draft: ManifestDraft;
  uses: AssetUses | undefined;
  reading: CrawlResult;
}

/** Fetches the assets that the new records name, and lists them in the draft. */
export async function bringAssets(context: SyncContext, base: Base, read: Read): Promise<BroughtAssets> {
  const { draft, reading } = read;
  context.onProgress({ kind: "stage", stage: "assets" });
  const { store } = context.output;
  const part = partNames.assets;
  const before = base.usable?.parts[part];
  const { changes, ...brought } = await fetchNamedAssets(context, base, read);
  const { shardBytes } = context.config.output;
  draft.parts[part] = await updatePart(store, part, { previous: before, changes, shardBytes });
  const { bringAssetMetadata } = await import("./bring-asset-metadata.js");
  const metadataProblems = await bringAssetMetadata(context, base, draft, reading.cv);
  return { ...brought, problems: [...brought.problems, ...metadataProblems] };
}

async function fetchNamedAssets(context: SyncContext, base: Base, { draft, uses, reading }: Read) {
  const { config, options, output, source, url, onProgress } = context;
  const { store } = output;
  const before = base.usable?.parts[partNames.assets];
  const countsAnew = base.usable !== base.previous;
  const earlier = before === undefined ? [] : readPart(store, partNames.assets, before);
  const [{ fetchAssets }, { openAssetJournal }] = await Promise.all([
    import("./assets/fetch-assets.js"),
    import("./assets/asset-journal.js"),
  ]);
  const { origin } = new URL(url);
  return fetchAssets({
    journal: await openAssetJournal(store),
    audit: {
      after: base.state.auditCursor[partNames.assets] ?? "",
      count: assetsToAudit(context, reading),
    },
    records: () => changedRecords(store, undefined, draft),
    uses,
    changes: changedRecords(
      store,
      before === undefined || countsAnew ? undefined : base.usable,
      draft,
      uses === undefined ? "all" : "variants",
    ),
    previous: countsAnew ? withoutUses(earlier) : earlier,
    config,
    source: {
      sourceOrigin: origin,
      sourceHosts: hostsOfOrigin(origin)?.assets ?? [],
      hostMap: options.source?.hostMap ?? {},
    },
    transport: { download: (address, download) => source.transport().download(address, download) },
    store,
    retryAll: options.full === true,
    signal: options.signal,
    onWait: (ms) => onProgress({ kind: "wait", ms, reason: "an asset is requested again" }),
    onProgress: (done, total) => onProgress({ kind: "advance", stage: "assets", done, total }),
  });
}

/** Counts while stories are compared, to read those once; undefined if the two need different stories. */
export async function usesToCount({ previous, usable }: Base): Promise<AssetUses | undefined> {
  if (usable !== previous || (previous !== undefined && previous.parts[partNames.assets] === undefined))
    return undefined;
  const { countAssetUses } = await import("../content/resolve/asset-urls.js");
  return countAssetUses();
}

/** So many stored assets are checked for changed bytes in a sync that audits records. */
const assetsAudited = 25;

function assetsToAudit({ options }: SyncContext, { audited }: CrawlResult): number {
  if (options.full) return Number.POSITIVE_INFINITY;
  return audited ? assetsAudited : 0;
}

/** The assets as fetched, to be counted again: their previous users are unknown. */
async function* withoutUses(lines: Iterable<{ line: string }> | AsyncIterable<{ line: string }>) {
  for await (const { line } of lines) yield { line: JSON.stringify({ ...(JSON.parse(line) as AssetRecord), uses: 0 }) };
}

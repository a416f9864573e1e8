import type { Config } from "../config/config.js";
import { isAsset } from "../content/resolve/content-shape.js";
import { visitValue } from "../content/resolve/rewrite-value.js";
import { isOffprintError, OffprintError, type Problem } from "../lib/errors.js";
import { isObject } from "../lib/shape.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { type KeyedLine, readPart } from "../snapshot/read-part.js";
import type { Store } from "../snapshot/store/store.js";
import type { ManifestDraft } from "../snapshot/write/commit.js";
import { replacePart } from "../snapshot/write/update-part.js";
import type { Base } from "./base.js";
import { missingPart } from "./crawl/parts/part-reading.js";
import { askInPieces, type BatchSize, createBatchSize } from "./crawl/run/batch-size.js";
import { askedTypes, type EditionSpec, editionQuery, editionSpecs, languagesOf } from "./crawl/run/editions.js";
import { createPin } from "./crawl/run/pin.js";
import { type PinnedUpstream, pinUpstream } from "./crawl/run/pinned-upstream.js";
import { storiesPerPage } from "./crawl/spending.js";
import type { SyncContext } from "./sync-context.js";

const part = partNames.assetMetadata;

/**
 * No index shows when metadata changes: every sync that reads stories reads all of it, with as few stories as name
 * every asset. @returns why the previous one is kept
 */
export async function bringAssetMetadata(
  context: SyncContext,
  base: Base,
  draft: ManifestDraft,
  cv: number | null,
): Promise<Problem[]> {
  const { config, output } = context;
  delete draft.parts[part];
  if (!config.assets.metadata) return [];
  const read = await readMetadata(context, draft, cv);
  if (read.lines !== undefined) {
    draft.parts[part] = await replacePart(output.store, part, read.lines, config.output.shardBytes);
    return [];
  }
  const { reason } = read;
  const kept = base.usable?.parts[part];
  if (kept === undefined) draft.notIncluded = [...draft.notIncluded, { part, reason }];
  else draft.parts[part] = kept;
  return [missingPart({ part, reason }, kept)];
}

/** The records in the order of their ids, or why there are none. */
async function readMetadata(
  context: SyncContext,
  draft: ManifestDraft,
  cv: number | null,
): Promise<{ lines: string[] } | { lines?: undefined; reason: string }> {
  const { config, source, output, onProgress } = context;
  const pin = createPin(cv, source.pacing);
  const size = createBatchSize(storiesPerPage(config), (message) => onProgress({ kind: "note", message }));
  const records = new Map<number, string>();
  let asked = 0;
  let isOffered = false;
  try {
    for (const stories of await storiesToAsk(output.store, config, draft)) {
      const answered = await askStories(config.source, pinUpstream(source.upstream, pin), size, stories);
      asked += stories.uuids.length;
      isOffered ||= answered.isOffered;
      for (const { text, value } of answered.records) records.set(value.id, text);
    }
    // The closing probe came before: only the pin shows whether the space has moved since.
    const [moved] = pin.reasons;
    if (moved !== undefined) throw new OffprintError("UPSTREAM_INCONSISTENT", moved);
  } catch (error) {
    if (!isOffprintError(error) || !error.code.startsWith("UPSTREAM_")) throw error;
    return { reason: error.message };
  }
  if (!isOffered && asked > 0) return { reason: "the space does not offer resolve_assets" };
  return { lines: [...records].sort(([a], [b]) => a - b).map(([, text]) => text) };
}

interface StoriesToAsk {
  spec: EditionSpec;
  uuids: string[];
}

/** Stories to request, by edition; one if nothing is known. Empty: no metadata is configured. */
export async function countAskedForAssets({ config, output }: SyncContext, { usable }: Base): Promise<number[]> {
  if (!config.assets.metadata) return [];
  if (usable === undefined) return [1];
  return (await storiesToAsk(output.store, config, usable)).map(({ uuids }) => uuids.length);
}

/** By edition, stories that together name every asset; each asset is looked up in one edition. */
async function storiesToAsk(
  store: Store,
  config: Config,
  { space, parts }: Pick<Manifest, "space" | "parts">,
): Promise<StoriesToAsk[]> {
  const known = new Set<number>();
  const { languages } = languagesOf(config, space.languages);
  const asked: StoriesToAsk[] = [];
  for (const spec of editionSpecs(config, languages)) {
    const name = partNames.stories(spec.name);
    const stories = parts[name];
    if (stories === undefined) continue;
    asked.push({ spec, uuids: await coveringStories(readPart(store, name, stories), known) });
  }
  return asked;
}

/** Together they name every asset with an id: each one that none before does. @param known gets the new ids */
async function coveringStories(lines: AsyncIterable<KeyedLine>, known: Set<number>): Promise<string[]> {
  const uuids: string[] = [];
  for await (const { key, line } of lines) {
    if (!line.includes('"filename":"')) continue;
    const before = known.size;
    visitValue(JSON.parse(line), (value) => {
      if (isObject(value) && isAsset(value) && typeof value.id === "number") known.add(value.id);
    });
    if (known.size > before) uuids.push(key);
  }
  return uuids;
}

async function askStories(
  { include }: Config["source"],
  pinned: PinnedUpstream,
  size: BatchSize,
  { spec, uuids }: StoriesToAsk,
) {
  let isOffered = false;
  const records = await askInPieces(size, uuids, async (piece) => {
    const query = { ...editionQuery(spec, askedTypes(include)), by_uuids: [...piece], per_page: size.stories };
    const body = await pinned.assetMetadata(query, { splits: piece.length > 1 });
    isOffered ||= body !== null;
    return body ?? [];
  });
  return { records, isOffered };
}

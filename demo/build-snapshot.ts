import type { Timestamp } from "../src/contract/records.js";
import { assetFile, editionName, parts as partNames } from "../src/snapshot/layout.js";
import type { AssetRecord, EditionEntry, Manifest } from "../src/snapshot/manifest.js";
import { createMemoryStore } from "../src/snapshot/store/memory-store.js";
import type { Store } from "../src/snapshot/store/store.js";
import { commit } from "../src/snapshot/write/commit.js";
import { replacePart } from "../src/snapshot/write/update-part.js";

/** Everything that a snapshot holds. */
export interface SnapshotContent {
  space: Partial<Manifest["space"]>;
  cv: number | null;
  /** Canonical JSON of the records, by part name as `parts` of the layout spells it. */
  parts: Record<string, readonly string[]>;
  /** The editions; fields that are left out have the values of an exact reading at `cv`. */
  editions: readonly (Pick<EditionEntry, "version" | "release" | "language"> & Partial<EditionEntry>)[];
  /** Records of the part `assets`, each with its bytes. */
  assets?: readonly { record: AssetRecord; bytes: Uint8Array }[];
  /** Default: the epoch, so that equal content gives an equal snapshot. */
  committedAt?: Timestamp;
  shardBytes?: number;
}

/**
 * Builds a snapshot of one generation. The same content gives the same bytes.
 * @param store where its next generation is committed; default: a new one in memory
 */
export async function buildSnapshot(
  content: SnapshotContent,
  store: Store = createMemoryStore(),
): Promise<{ store: Store; manifest: Manifest }> {
  const { space, cv, assets = [], committedAt = new Date(0).toISOString(), shardBytes = 512 * 1024 } = content;
  const lines = new Map(Object.entries(content.parts));
  if (assets.length > 0) {
    lines.set(
      partNames.assets,
      assets.map(({ record }) => JSON.stringify(record)),
    );
  }
  for (const { record, bytes } of assets) {
    if (record.hash !== null) await store.put(assetFile(record.hash, record.name), bytes);
  }
  const parts: Manifest["parts"] = {};
  for (const [part, records] of lines) parts[part] = await replacePart(store, part, records, shardBytes);
  const manifest = await commit(store, {
    space: { id: null, name: null, source: "demo:", languages: [], ...space },
    cv,
    startedAt: committedAt,
    committedAt,
    editions: content.editions.map((edition) => completeEdition(edition, content)),
    parts,
    notIncluded: [],
    held: false,
  });
  return { store, manifest };
}

function completeEdition(
  edition: SnapshotContent["editions"][number],
  { cv, parts }: Pick<SnapshotContent, "cv" | "parts">,
): EditionEntry {
  const name = editionName(edition.version, edition.release, edition.language);
  return {
    name,
    level: "exact",
    cv,
    confirmedSince: cv,
    settings: "",
    index: "links",
    blindTo: [],
    // Parsing every line takes longer than all the rest, so it is done only when the dates are not given.
    ...(edition.newestPublishedAt === undefined
      ? newestTimestamps(parts[partNames.stories(name)] ?? [])
      : { newestPublishedAt: null, newestUpdatedAt: null }),
    ...edition,
  };
}

/** The newest `published_at` and `updated_at` of some stories; null when none has one. */
function newestTimestamps(stories: readonly string[]): Pick<EditionEntry, "newestPublishedAt" | "newestUpdatedAt"> {
  let newestPublishedAt: Timestamp | null = null;
  let newestUpdatedAt: Timestamp | null = null;
  for (const line of stories) {
    const { published_at, updated_at } = JSON.parse(line) as { published_at?: unknown; updated_at?: unknown };
    if (typeof published_at === "string" && published_at > (newestPublishedAt ?? "")) newestPublishedAt = published_at;
    if (typeof updated_at === "string" && updated_at > (newestUpdatedAt ?? "")) newestUpdatedAt = updated_at;
  }
  return { newestPublishedAt, newestUpdatedAt };
}

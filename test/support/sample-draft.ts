import type { EditionEntry } from "../../src/snapshot/manifest.js";
import type { ManifestDraft } from "../../src/snapshot/write/commit.js";

/** An edition that was read exactly at cv 1700000000. */
export function sampleEdition(more: Partial<EditionEntry> = {}): EditionEntry {
  return {
    name: "published/default",
    version: "published",
    release: null,
    language: "default",
    level: "exact",
    cv: 1_700_000_000,
    confirmedSince: 1_700_000_000,
    settings: "0".repeat(64),
    index: "links",
    blindTo: [],
    newestPublishedAt: "2026-01-01T00:00:00.000Z",
    newestUpdatedAt: null,
    ...more,
  };
}

/** A draft with one edition and no parts. */
export function sampleDraft(more: Partial<ManifestDraft> = {}): ManifestDraft {
  return {
    space: { id: 1, name: "Sample", source: "demo:", languages: ["de"] },
    cv: 1_700_000_000,
    startedAt: "2026-01-01T00:00:00.000Z",
    committedAt: "2026-01-01T00:00:10.000Z",
    editions: [sampleEdition()],
    parts: {},
    notIncluded: [],
    held: false,
    ...more,
  };
}

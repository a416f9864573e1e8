import { parts } from "../reader/part-names.js";
import type { Reader } from "../reader/reader.js";
import { type ColumnStore, createColumnStore } from "./columns.js";
import { linkRows, type ServedLink } from "./link-rows.js";
import { createStoryRows, type StoryRows } from "./story-rows.js";

/** One generation as the replica answers from it. */
export interface ServedGeneration {
  reader: Reader;
  /** What every answer of this generation tells as its cv. */
  cv: number;
  /** Stories of an edition; no rows for an edition that the snapshot lacks. */
  stories(edition: string): StoryRows;
  /** Variant stories of experiments. */
  variants(edition: string): StoryRows;
  /** The links listing of a version, in uuid order. */
  links(version: "published" | "draft"): readonly ServedLink[];
}

/**
 * Returns the view of a reader, the same one as long as the reader lives. Columns are shared by all of them: a shard that
 * two generations have in common is walked once.
 */
export function createGenerations(): (reader: Reader) => ServedGeneration {
  const columns = createColumnStore();
  const views = new WeakMap<Reader, ServedGeneration>();
  return (reader) => {
    const view = views.get(reader) ?? serveGeneration(reader, columns);
    views.set(reader, view);
    return view;
  };
}

function serveGeneration(reader: Reader, columns: ColumnStore): ServedGeneration {
  const made = new Map<string, StoryRows>();
  const rowsOf = (part: string): StoryRows => {
    const rows = made.get(part) ?? createStoryRows(reader.shards(part), columns);
    made.set(part, rows);
    return rows;
  };
  const links = new Map<string, readonly ServedLink[]>();
  return {
    reader,
    cv: cvOf(reader),
    stories: (edition) => rowsOf(parts.stories(edition)),
    variants: (edition) => rowsOf(parts.variants(edition)),
    links(version) {
      const rows = links.get(version) ?? linkRows(reader, version);
      links.set(version, rows);
      return rows;
    },
  };
}

/**
 * The snapshot's cv. An upstream that tells none (the manifest says null) is served with the time of the commit in Unix
 * seconds: like a cv it grows with every change, and never moves without one.
 */
function cvOf({ manifest }: Reader): number {
  return manifest.cv ?? Math.max(1, Math.floor(Date.parse(manifest.committedAt) / 1000));
}

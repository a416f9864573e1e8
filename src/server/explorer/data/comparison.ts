import { inMap } from "../../../lib/collections/in-map.js";
import { Lru } from "../../../lib/collections/lru.js";
import { within } from "../../../lib/concurrency/within.js";
import { memberText } from "../../../lib/json/member.js";
import { noChanges } from "../../../snapshot/compare-stories.js";
import { differingParts, diffPart, type PartCounts, partNamesOf } from "../../../snapshot/diff-part.js";
import { type EntryChange, entryChanges } from "../../../snapshot/entry-changes.js";
import { parts } from "../../../snapshot/layout.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import { kindOf } from "../../../snapshot/part-kinds.js";
import type { Store } from "../../../snapshot/store/store.js";
import {
  countDifferences,
  type DifferenceCounts,
  type StoryDifference,
  storyDifferences,
} from "../../../snapshot/story-differences.js";

export interface ComparedRow {
  change: "added" | "removed" | "changed" | "moved";
  edition: string;
  uuid: string;
  name: string;
  full_slug: string;
  from?: string;
}

export interface Comparison {
  /** By edition, then uuid. */
  rows: ComparedRow[];
  parts: PartCounts[];
  /** Entries of datasources. */
  entries: EntryChange[];
  isComplete: boolean;
  /** Settles when it is complete or has failed. Never rejects. */
  done: Promise<void>;
  error?: unknown;
  /** The differences of all editions; once it is complete. */
  stories?: ComparedStories;
}

const kept = new WeakMap<Store, Lru<string, Comparison>>();

/** Returns the differences found within `waitMs` milliseconds; a later call returns more. */
export async function compared(store: Store, before: Manifest, after: Manifest, waitMs: number): Promise<Comparison> {
  const known = inMap(kept, store, () => new Lru(4));
  const key = `${before.checksum} ${after.checksum}`;
  const comparison = inMap(known, key, () => start(store, before, after));
  await within(waitMs, comparison.done);
  if (comparison.error === undefined) return comparison;
  known.delete(key);
  throw comparison.error;
}

function start(store: Store, before: Manifest, after: Manifest): Comparison {
  const comparison: Comparison = { rows: [], parts: [], entries: [], isComplete: false, done: Promise.resolve() };
  comparison.done = compare(store, before, after, comparison).catch((error: unknown) => {
    comparison.error = error;
  });
  return comparison;
}

async function compare(store: Store, before: Manifest, after: Manifest, found: Comparison): Promise<void> {
  for (const part of partNamesOf(before, after).filter((name) => kindOf(name) === "stories")) {
    const edition = part.slice(parts.stories("").length);
    let place = 0;
    for await (const { key, before: old, after: now } of diffPart(store, part, before.parts[part], after.parts[part])) {
      found.rows.push(rowOf(edition, key, old, now));
      place++;
      // Lets other requests run: the records of a shard arrive without a pause.
      if (place % 64 === 0) await new Promise(setImmediate);
    }
  }
  for await (const counts of differingParts(store, before, after, ["stories", "links"])) found.parts.push(counts);
  found.entries = await entryChanges(store, before, after);
  found.isComplete = true;
}

function rowOf(edition: string, uuid: string, old: string | null, now: string | null): ComparedRow {
  const text = (line: string | null, name: string) => memberText(line ?? "{}", name) ?? "";
  const slug = text(now ?? old, "full_slug");
  const about = { edition, uuid, name: text(now ?? old, "name"), full_slug: slug };
  if (old === null) return { change: "added", ...about };
  if (now === null) return { change: "removed", ...about };
  const from = text(old, "full_slug");
  const isSamePlace = from === slug && text(old, "path").trim() === text(now, "path").trim();
  return isSamePlace ? { change: "changed", ...about } : { change: "moved", ...about, from };
}

interface ComparedStories {
  counts: DifferenceCounts;
  differences: StoryDifference[];
}

/** What differs, by story. @param edition of one edition alone; empty: of all */
export function comparedStories(
  comparison: Comparison,
  { editions }: Pick<Manifest, "editions">,
  edition = "",
): ComparedStories {
  if (edition === "" && comparison.stories !== undefined) return comparison.stories;
  const changes = noChanges();
  for (const { change, from = "", ...row } of comparison.rows) {
    if (edition !== "" && row.edition !== edition) continue;
    if (change === "moved") changes.moved.push({ ...row, from });
    changes[change === "moved" ? "changed" : change].push(row);
  }
  const found = { counts: countDifferences(changes), differences: storyDifferences(changes, editions) };
  if (edition === "" && comparison.isComplete) comparison.stories = found;
  return found;
}

import { inMap } from "../../../lib/collections/in-map.js";
import { Lru } from "../../../lib/collections/lru.js";
import { within } from "../../../lib/concurrency/within.js";
import { memberText } from "../../../lib/json/member.js";
import { noChanges, type StoryChanges } from "../../../snapshot/compare-stories.js";
import { differingParts, diffPart, type PartDifferences, partNames } from "../../../snapshot/diff-part.js";
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
  parts: PartDifferences[];
  /** Entries of datasources. */
  entries: EntryChange[];
  isComplete: boolean;
  error?: unknown;
}

const kept = new WeakMap<Store, Lru<string, { comparison: Comparison; done: Promise<void> }>>();

/** Returns the differences found within `waitMs` milliseconds; a later call returns more. */
export async function compared(store: Store, before: Manifest, after: Manifest, waitMs: number): Promise<Comparison> {
  const known = inMap(kept, store, () => new Lru(4));
  const key = `${before.checksum} ${after.checksum}`;
  const running = inMap(known, key, () => start(store, before, after));
  await within(waitMs, running.done);
  if (running.comparison.error !== undefined) {
    known.delete(key);
    throw running.comparison.error;
  }
  return running.comparison;
}

function start(store: Store, before: Manifest, after: Manifest) {
  const comparison: Comparison = { rows: [], parts: [], entries: [], isComplete: false };
  const done = compare(store, before, after, comparison).catch((error: unknown) => {
    comparison.error = error;
  });
  return { comparison, done };
}

async function compare(store: Store, before: Manifest, after: Manifest, found: Comparison): Promise<void> {
  for (const part of partNames(before, after).filter((name) => kindOf(name) === "stories")) {
    const edition = part.slice(parts.stories("").length);
    let place = 0;
    for await (const { key, before: old, after: now } of diffPart(store, part, before.parts[part], after.parts[part])) {
      found.rows.push(rowOf(edition, key, old, now));
      place++;
      // Lets other requests run: the records of a shard arrive without a pause.
      if (place % 64 === 0) await new Promise(setImmediate);
    }
  }
  for await (const part of differingParts(store, before, after)) found.parts.push(part);
  found.entries = await entryChanges(store, before, after);
  found.isComplete = true;
}

function rowOf(edition: string, uuid: string, old: string | null, now: string | null): ComparedRow {
  const shown = now ?? old ?? "";
  const slug = copied(memberText(shown, "full_slug"));
  const about = { edition, uuid: copied(uuid), name: copied(memberText(shown, "name")), full_slug: slug };
  if (old === null) return { change: "added", ...about };
  if (now === null) return { change: "removed", ...about };
  const from = copied(memberText(old, "full_slug"));
  const isSamePlace = from === slug && pathOf(old) === pathOf(now);
  return isSamePlace ? { change: "changed", ...about } : { change: "moved", ...about, from };
}

function pathOf(line: string): string {
  return memberText(line, "path")?.trim() ?? "";
}

interface ComparedStories {
  counts: DifferenceCounts;
  differences: StoryDifference[];
}

const knownStories = new WeakMap<Comparison, ComparedStories>();

/** What differs, by story. @param edition of one edition alone; empty: of all */
export function comparedStories(
  comparison: Comparison,
  { editions }: Pick<Manifest, "editions">,
  edition = "",
): ComparedStories {
  const known = edition === "" ? knownStories.get(comparison) : undefined;
  if (known !== undefined) return known;
  const changes = changesOf(comparison.rows.filter((row) => edition === "" || row.edition === edition));
  const found = { counts: countDifferences(changes), differences: storyDifferences(changes, editions) };
  if (edition === "" && comparison.isComplete) knownStories.set(comparison, found);
  return found;
}

function changesOf(rows: readonly ComparedRow[]): StoryChanges {
  const changes = noChanges();
  for (const { change, from = "", ...row } of rows) {
    if (change === "moved") changes.moved.push({ ...row, from });
    changes[change === "moved" ? "changed" : change].push(row);
  }
  return changes;
}

/** Copies a text. A substring of a line would keep the whole shard's text in memory. */
function copied(text = ""): string {
  return Buffer.from(text).toString();
}

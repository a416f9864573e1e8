import { slugWithoutLanguage } from "../resolve/link-pattern.js";
import { isObject } from "../shape.js";
import type { EditionEntry, PartEntry, ShardEntry } from "../snapshot/manifest.js";
import type { CheckedEdition, ShardOfEdition, SpaceSettings } from "./checked-space.js";
import { positionTable } from "./position-table.js";
import type { ShardFacts } from "./shard-facts.js";
import { shortHash } from "./short-hash.js";

export interface EditionInputs {
  entry: EditionEntry;
  part: PartEntry;
  /** Of each shard of the part. */
  facts: readonly ShardFacts[];
  settings: SpaceSettings;
  /** The records of a shard. @throws OffprintError `SNAPSHOT_DAMAGED` */
  records(shard: ShardEntry): Promise<readonly unknown[]>;
}

/** The stories of an edition, put together from the facts of its shards. Tables are made when they are first asked for. */
export function editionOf({ entry, part, facts, settings, records }: EditionInputs): CheckedEdition {
  const shards: ShardOfEdition[] = [];
  let count = 0;
  for (const one of facts) {
    shards.push({ start: count, facts: one });
    count += one.uuids.length;
  }
  const shardAt = (at: number): ShardOfEdition => {
    let low = 0;
    let high = shards.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (shards[middle]!.start <= at) low = middle;
      else high = middle - 1;
    }
    return shards[low]!;
  };
  const within = <T>(at: number, read: (facts: ShardFacts, inside: number) => T): T => {
    const { start, facts: own } = shardAt(at);
    return read(own, at - start);
  };
  const hashed = (textOf: (facts: ShardFacts, inside: number) => string): Float64Array => {
    const all = new Float64Array(count);
    for (const { start, facts: own } of shards) {
      for (let at = 0; at < own.uuids.length; at += 1) all[start + at] = shortHash(textOf(own, at));
    }
    return all;
  };
  const uuidHashes = once(() => hashed((own, at) => own.uuids[at]!));
  const uuids = once(() => positionTable(uuidHashes()));
  const slugs = once(() => positionTable(hashed((own, at) => slugKey(own.slugs[at]!, entry.language, settings))));
  return {
    entry,
    count,
    shards,
    slug: (at) => within(at, (own, inside) => own.slugs[inside]!),
    uuid: (at) => within(at, (own, inside) => own.uuids[inside]!),
    type: (at) => within(at, (own, inside) => own.types[own.typeOf[inside]!] ?? ""),
    uuidHash: (at) => uuidHashes()[at]!,
    find: (hash) => uuids().find(hash),
    atSlug: (slug) => slugs().find(shortHash(slug === "" ? settings.links.home : slug)),
    sameSlug: () => slugs().repeated,
    eachContent: (wanted, visit) => visitContents(wanted, { shards, part, records }, visit),
  };
}

/** The slug without language and slashes at its ends; of the root, the slug of the home page. */
export function slugKey(slug: string, language: string, { links }: Pick<SpaceSettings, "links">): string {
  const plain = slugWithoutLanguage(slug, language);
  // As in URLs, which have no empty segments.
  return (plain.includes("//") ? plain.replace(/\/{2,}/g, "/") : plain) || links.home;
}

/** One shard is read at a time. */
async function visitContents(
  wanted: readonly number[],
  { shards, part, records }: Pick<EditionInputs, "part" | "records"> & { shards: readonly ShardOfEdition[] },
  visit: (at: number, content: unknown) => void,
): Promise<void> {
  const sorted = [...wanted].sort((a, b) => a - b);
  let next = 0;
  for (const [index, { start, facts }] of shards.entries()) {
    const end = start + facts.uuids.length;
    if (next >= sorted.length || sorted[next]! >= end) continue;
    const stories = (await records(part.shards[index]!)).filter(isObject);
    for (; next < sorted.length && sorted[next]! < end; next += 1) {
      visit(sorted[next]!, stories[sorted[next]! - start]?.content);
    }
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

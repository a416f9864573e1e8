import { inMap, once } from "../../lib/collections/in-map.js";
import { lowerBound } from "../../lib/collections/lower-bound.js";
import { numberHash } from "../../lib/number-hash.js";
import { isObject } from "../../lib/shape.js";
import type { EditionEntry, PartEntry, ShardEntry } from "../../snapshot/manifest.js";
import { isHomePage, type StoryAddress } from "../resolve/link-pattern.js";
import { pathKey } from "./derive-facts.js";
import type { CheckedEdition, FieldCounts, ShardOfEdition, SpaceSettings } from "./facts/checked-space.js";
import { eachReference, type ShardFacts } from "./facts/shard-facts.js";

export interface EditionInputs {
  entry: EditionEntry;
  part: PartEntry;
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
    count += one.count;
  }
  const within = <T>(at: number, read: (facts: ShardFacts, inside: number) => T): T => {
    const { start, facts: own } = shards[lowerBound(shards.length, (index) => shards[index]!.start > at) - 1]!;
    return read(own, at - start);
  };
  const joined = (column: "uuidHashes" | "slugHashes"): Float64Array => {
    const all = new Float64Array(count);
    for (const { start, facts: own } of shards) all.set(own[column], start);
    return all;
  };
  const addressAt = (at: number): StoryAddress =>
    within(at, (own, inside) => ({ full_slug: own.slug(inside), path: own.paths[inside] }));
  const uuidHashes = once(() => joined("uuidHashes"));
  const uuids = once(() => positionTable(uuidHashes()));
  const slugs = once(() => positionTable(joined("slugHashes")));
  const targets = once(() => shards.map(({ facts: own }) => targetsOf(own, uuids())));
  return {
    entry,
    count,
    shards,
    slug: (at) => within(at, (own, inside) => own.slug(inside)),
    uuid: (at) => within(at, (own, inside) => own.uuid(inside)),
    uuidHash: (at) => uuidHashes()[at]!,
    find: (hash) => uuids().find(hash),
    url: (at) => settings.url(addressAt(at), entry.language),
    isHome: (at) => isHomePage(addressAt(at), entry.language, settings.links),
    atPath: (path) => slugs().find(numberHash(pathKey({ full_slug: path }, "default", settings.links))),
    samePath: () => slugs().repeated,
    fills: once(() => fillsOf(shards)),
    eachNamedStory(visit) {
      for (const [index, shard] of shards.entries()) {
        const named = targets()[index]!;
        eachReference(shard.facts, (story, field, kind, _target, at) => {
          if (kind !== "asset") visit(shard, story, field, kind, named[at]!);
        });
      }
    },
    eachContent: (wanted, visit) => visitContents(wanted, { shards, part, records }, visit),
  };
}

/** Of each reference of a shard the position of the story that it names; -1 where the edition has none. */
function targetsOf(facts: ShardFacts, { find }: PositionTable): Int32Array {
  const named = new Int32Array(facts.references.length / 3);
  eachReference(facts, (_story, _field, kind, target, at) => {
    named[at] = kind === "asset" ? -1 : (find(target) ?? -1);
  });
  return named;
}

function fillsOf(shards: readonly ShardOfEdition[]): Map<string, FieldCounts> {
  const fills = new Map<string, FieldCounts>();
  const countsOf = (name: string) => inMap(fills, name, () => ({ present: 0, filled: 0 }));
  // Shards that share the list of their fields share where to count.
  const known = new Map<readonly string[], FieldCounts[]>();
  for (const { facts } of shards) {
    const { fields } = facts.names;
    const own = inMap(known, fields, () => fields.map(countsOf));
    for (let at = 0; at < own.length; at += 1) {
      const counts = own[at]!;
      counts.present += facts.present[at]!;
      counts.filled += facts.filled[at]!;
    }
  }
  return fills;
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
    const end = start + facts.count;
    if (next >= sorted.length || sorted[next]! >= end) continue;
    const stories = (await records(part.shards[index]!)).filter(isObject);
    for (; next < sorted.length && sorted[next]! < end; next += 1) {
      visit(sorted[next]!, stories[sorted[next]! - start]?.content);
    }
  }
}

/** Positions by the `numberHash` of a text: a hash table in two typed arrays, for very many texts. */
interface PositionTable {
  /** The first position with this hash. */
  find(hash: number): number | undefined;
  /** Positions whose hash an earlier position has, with that one. */
  repeated: readonly (readonly [at: number, first: number])[];
}

/** @param hashes whole numbers from 0 below 2^53, by position */
function positionTable(hashes: Float64Array): PositionTable {
  let size = 8;
  while (size < hashes.length * 2) size *= 2;
  const keys = new Float64Array(size).fill(-1);
  const values = new Int32Array(size);
  const repeated: [number, number][] = [];
  /** The index of the hash, or its insertion point. */
  const slotOf = (hash: number): number => {
    let slot = hash & (size - 1);
    while (keys[slot] !== -1 && keys[slot] !== hash) slot = (slot + 1) & (size - 1);
    return slot;
  };
  for (let at = 0; at < hashes.length; at += 1) {
    const slot = slotOf(hashes[at]!);
    if (keys[slot] === -1) {
      keys[slot] = hashes[at]!;
      values[slot] = at;
    } else repeated.push([at, values[slot]!]);
  }
  return {
    find(hash) {
      const slot = slotOf(hash);
      return keys[slot] === -1 ? undefined : values[slot];
    },
    repeated,
  };
}

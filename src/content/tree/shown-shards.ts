import { lowerBound } from "../../lib/collections/lower-bound.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { referenceOf } from "../../snapshot/reader/index-rows.js";
import { bordersOf, linkRowsIn } from "../../snapshot/reader/link-rows.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { Reader, ShardBytes } from "../../snapshot/reader/reader.js";
import { recordBytes, recordText } from "../../snapshot/reader/shard-bytes.js";
import { countUses, decideUses, type FieldUses, type UseCounts } from "../model/field-use.js";
import { isSettingsType } from "./pageless-stories.js";

/** The note of a shard of stories or index rows. */
export interface ShownShard {
  hash: string;
  /**
   * For stories: hash of what decides the places of their files (uuid, slug, real path, content type, whether they are start pages). For rows:
   * hash of what a content tree shows of them.
   */
  shown: string;
  /** How its stories fill their fields; for the edition that decides ({@link fieldUses}) and no other. */
  uses?: UseCounts | undefined;
}

/** Part → prefix → shard, in the order of the prefixes. */
export type ShownShards = ReadonlyMap<string, ReadonlyMap<string, ShownShard>>;

/** The shards of stories and index of a generation. @param earlier those that are not looked into again */
export function shownShards({ manifest, shards }: Reader, earlier: ShownShards): ShownShards {
  const deciding = decidingPart(manifest);
  const shardsOf = (part: string, shownOf: (shard: ShardBytes) => unknown) => {
    const decides = part === deciding;
    const loaded = shards(part);
    const entries = manifest.parts[part]?.shards ?? [];
    const noted = entries.map(({ prefix, hash }, place): [string, ShownShard] => {
      const known = earlier.get(part)?.get(prefix);
      const isKnown = known?.hash === hash;
      if (isKnown && decides === (known.uses !== undefined)) return [prefix, known];
      const shown = isKnown ? known.shown : shortHash(JSON.stringify(shownOf(loaded[place]!)));
      return [prefix, decides ? { hash, shown, uses: countUses(storiesIn(loaded[place]!)) } : { hash, shown }];
    });
    return [part, new Map(noted)] as const;
  };
  const versions = new Set(manifest.editions.map(({ version }) => version));
  return new Map([
    ...manifest.editions.map(({ name }) => shardsOf(parts.stories(name), placingOf)),
    ...[...versions].map((version) => shardsOf(parts.links(version), (shard) => linkRowsIn(shard))),
  ]);
}

/**
 * The part of the edition whose stories decide how fields are used: the published stories in the default language, or
 * the first edition without them. One edition is enough, as the others hold the same stories, and a draft changes no
 * published page.
 */
function decidingPart({ editions }: Pick<Manifest, "editions">): string | undefined {
  const plain = editions.find(({ version, release, language }) => {
    return version === "published" && release === null && language === "default";
  });
  const edition = plain ?? editions[0];
  return edition && parts.stories(edition.name);
}

/** What all stories of the deciding edition say of the fields of each component. */
export function fieldUses({ manifest }: Pick<Reader, "manifest">, shards: ShownShards): FieldUses {
  const own = shards.get(decidingPart(manifest) ?? "") ?? new Map<string, ShownShard>();
  return decideUses([...own.values()].flatMap(({ uses }) => (uses === undefined ? [] : [uses])));
}

/** Its records one after the other. A record that cannot be parsed is passed over: its own page reports it. */
function* storiesIn(shard: ShardBytes): Generator<unknown> {
  for (let index = 0; index < shard.starts.length; index += 1) {
    try {
      yield JSON.parse(recordText(shard, index));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}

function placingOf(shard: ShardBytes): unknown[] {
  return Array.from(shard.starts, (_, index) => {
    const { uuid, full_slug, path, component, is_startpage } = referenceOf(shard, index);
    // Whether a story of settings has a file depends on its content.
    const record = isSettingsType(component) ? [shortHash(recordBytes(shard, index))] : [];
    return [uuid, full_slug, component, is_startpage, ...(path === undefined ? [] : [path]), ...record];
  });
}

/** True if what is shown of a part is the same in both generations. False also where that is not known. */
export function showsTheSame(part: string, now: ShownShards, earlier: ShownShards): boolean {
  const [own, known] = [now.get(part), earlier.get(part)];
  if (own === undefined || known === undefined || own.size !== known.size) return false;
  return [...own].every(([prefix, { shown }]) => known.get(prefix)?.shown === shown);
}

/**
 * Returns a test that is true for a uuid whose story (or its absence) is the same in both generations: the shard has the same prefix and
 * hash. With a second uuid, it is true if that holds for all uuids from the first to the second one. False if unknown.
 */
export function storiesInCommon(
  now: ShownShards,
  earlier: ShownShards,
): (edition: string, uuid: string, last?: string) => boolean {
  const ranges = rangesByPart(now, earlier, "hash");
  const startOf = (uuid: string) => Number.parseInt(plainStart.exec(uuid)?.[0] ?? "", 16);
  return (edition, uuid, last = uuid) => {
    return isInOne(ranges.get(parts.stories(edition)), startOf(uuid), startOf(last));
  };
}

/**
 * Returns a test that is true if content shows the same of a version's index rows in a range ({@link bordersOf}) in both generations.
 * False if unknown.
 */
export function rowsInCommon(now: ShownShards, earlier: ShownShards): (version: string, range: string) => boolean {
  const ranges = rangesByPart(now, earlier, "shown");
  const unmoved = new Set([...now.keys()].filter((part) => showsTheSame(part, now, earlier)));
  const placeOf = (prefix: string, padding: string) => Number.parseInt(prefix.slice(0, 32).padEnd(32, padding), 2);
  return (version, range) => {
    const part = parts.links(version);
    if (unmoved.has(part)) return true;
    const { from, to } = bordersOf(range);
    // One place too many where the border is behind the 32nd digit.
    const end = to === "" ? placeOf("", "1") : placeOf(to, "0") - (to.length > 32 ? 0 : 1);
    return isInOne(ranges.get(part), placeOf(from, "0"), end);
  };
}

interface PlaceRange {
  from: number;
  to: number;
}

function isInOne(ranges: readonly PlaceRange[] = [], start: number, last: number): boolean {
  const range = ranges[lowerBound(ranges.length, (at) => ranges[at]!.to > start)];
  return range !== undefined && start >= range.from && last < range.to;
}

function rangesByPart(now: ShownShards, earlier: ShownShards, same: "hash" | "shown") {
  return new Map([...now].map(([part, shards]) => [part, rangesInCommon(shards, earlier.get(part), same)]));
}

/** The first 32 binary digits of a place. */
const plainStart = /^[0-9a-f]{8}(?=-)/;

/** The ranges of 32-digit places in unchanged shards; adjacent ranges are merged. */
function rangesInCommon(
  now: ReadonlyMap<string, ShownShard>,
  earlier: ReadonlyMap<string, ShownShard> = new Map(),
  same: "hash" | "shown",
): PlaceRange[] {
  const ranges: PlaceRange[] = [];
  for (const [prefix, shard] of now) {
    if (prefix.length > 32 || earlier.get(prefix)?.[same] !== shard[same]) continue;
    const from = Number.parseInt(prefix.padEnd(32, "0"), 2);
    const to = from + 2 ** (32 - prefix.length);
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

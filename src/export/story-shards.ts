import { lowerBound } from "../lower-bound.js";
import { shortHash } from "../reader/noting-reader.js";
import type { Reader, ShardBytes } from "../reader/reader.js";
import { referenceOf } from "../reader/story-index.js";
import { parts } from "../snapshot/layout.js";

/** What is noted of a shard of stories. */
export interface StoryShard {
  hash: string;
  /** Hash of what decides where its stories have their files: uuid, slug, content type, and whether they are start pages. */
  placing: string;
}

/** Edition → prefix → shard, in the order of the prefixes. */
export type StoryShards = ReadonlyMap<string, ReadonlyMap<string, StoryShard>>;

/**
 * The shards of the stories of a generation.
 * @param earlier those of another generation: a shard of it is not looked into again
 */
export function storyShards({ manifest, shards }: Reader, earlier: StoryShards): StoryShards {
  return new Map(
    manifest.editions.map(({ name }) => {
      const part = parts.stories(name);
      const loaded = shards(part);
      const entries = manifest.parts[part]?.shards ?? [];
      const noted = entries.map(({ prefix, hash }, place): [string, StoryShard] => {
        const known = earlier.get(name)?.get(prefix);
        return [prefix, known?.hash === hash ? known : { hash, placing: placingOf(loaded[place]!) }];
      });
      return [name, new Map(noted)];
    }),
  );
}

function placingOf(shard: ShardBytes): string {
  const stories = Array.from(shard.starts, (_, index) => {
    const { uuid, full_slug, component, is_startpage } = referenceOf(shard, index);
    return [uuid, full_slug, component, is_startpage];
  });
  return shortHash(JSON.stringify(stories));
}

/** Whether an edition has the same stories, under the same slugs and of the same types. */
export function haveSamePlacing(edition: string, now: StoryShards, earlier: StoryShards): boolean {
  const placings = (shards: StoryShards) =>
    JSON.stringify([...(shards.get(edition) ?? [])].map(([, one]) => one.placing));
  return now.has(edition) && earlier.has(edition) && placings(now) === placings(earlier);
}

/**
 * Says of a uuid whether its story, or that there is none, is the same in both generations: its place lies in a shard of
 * the same prefix and hash. False also where that is not known.
 */
export function storiesInCommon(now: StoryShards, earlier: StoryShards): (edition: string, uuid: string) => boolean {
  const ranges = new Map([...now].map(([edition, shards]) => [edition, rangesInCommon(shards, earlier.get(edition))]));
  return (edition, uuid) => {
    const start = Number.parseInt(plainStart.exec(uuid)?.[0] ?? "", 16);
    const common = ranges.get(edition) ?? [];
    const range = common[lowerBound(common.length, (at) => common[at]!.to > start)];
    return range !== undefined && start >= range.from;
  };
}

/** The first 32 binary digits of a place. */
const plainStart = /^[0-9a-f]{8}(?=-)/;

/** Where the first 32 digits of places lie in shards that are the same; adjacent ranges are one. */
function rangesInCommon(
  now: ReadonlyMap<string, StoryShard>,
  earlier: ReadonlyMap<string, StoryShard> = new Map(),
): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const [prefix, { hash }] of now) {
    if (prefix.length > 32 || earlier.get(prefix)?.hash !== hash) continue;
    const from = Number.parseInt(prefix.padEnd(32, "0"), 2);
    const to = from + 2 ** (32 - prefix.length);
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

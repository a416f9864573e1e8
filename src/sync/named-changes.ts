import type { StoryChange, StoryChanges } from "../snapshot/compare-stories.js";
import type { EditionEntry } from "../snapshot/manifest.js";

/** A change of a story, across all its editions. */
export interface NamedChange {
  kind: (typeof kinds)[number];
  /** In the first edition that has the change. */
  full_slug: string;
  /** The former full slug of a moved story. */
  from?: string;
  /** The editions with the change if the first edition lacks it: `published/de`. Else empty. */
  onlyIn: string[];
}

const kinds = ["added", "changed", "moved", "removed"] as const;
const named = 10;

/** Some of every kind; each story once: as added or removed, else moved, else changed. @param editions in order */
export function namedChanges(
  changes: StoryChanges | undefined,
  editions: readonly Pick<EditionEntry, "name">[],
): NamedChange[] {
  if (changes === undefined) return [];
  const rank = new Map(editions.map(({ name }, at) => [name, at]));
  const seen = new Set<string>();
  const lists = new Map<string, NamedChange[]>();
  for (const kind of ["added", "removed", "moved", "changed"] as const) {
    const stories = byUuid(changes[kind], seen);
    lists.set(
      kind,
      stories.map((found) => nameOf(kind, found, rank)),
    );
  }
  const chosen = new Set(firstOfEach([...lists.values()], named));
  return kinds.flatMap((kind) => lists.get(kind) ?? []).filter((change) => chosen.has(change));
}

/** The changes of each story that no earlier kind has named. */
function byUuid(changes: readonly StoryChange[], seen: Set<string>): StoryChange[][] {
  const stories = new Map<string, StoryChange[]>();
  for (const change of changes) {
    if (seen.has(change.uuid)) continue;
    const found = stories.get(change.uuid);
    if (found === undefined) stories.set(change.uuid, [change]);
    else found.push(change);
  }
  for (const uuid of stories.keys()) seen.add(uuid);
  return [...stories.values()];
}

function nameOf(
  kind: NamedChange["kind"],
  found: readonly (StoryChange & { from?: string })[],
  rank: ReadonlyMap<string, number>,
): NamedChange {
  const rankOf = ({ edition }: StoryChange) => rank.get(edition) ?? rank.size;
  const sorted = [...found].sort((a, b) => rankOf(a) - rankOf(b));
  const first = sorted[0] as StoryChange & { from?: string };
  return {
    kind,
    full_slug: first.full_slug,
    ...(first.from === undefined ? {} : { from: first.from }),
    onlyIn: rankOf(first) === 0 ? [] : sorted.map(({ edition }) => edition),
  };
}

/** Takes turns, so that a single removal shows among a hundred edits. */
function firstOfEach<T>(lists: readonly (readonly T[])[], count: number): T[] {
  const taken: T[] = [];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest && taken.length < count; at++) {
    for (const list of lists) {
      const item = list[at];
      if (item !== undefined && taken.length < count) taken.push(item);
    }
  }
  return taken;
}

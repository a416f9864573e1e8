/** The first with the fewest edits, at most a third of the longer name (at least 1). Ignores case, `-`, `_`, blanks. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return nearestNames(name, candidates, 1)[0];
}

/** Like {@link nearestName}: so many of them, the nearest first. */
export function nearestNames(name: string, candidates: Iterable<string>, most: number): string[] {
  const wanted = normalise(name);
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const other = normalise(candidate);
    const limit = Math.max(1, Math.floor(Math.max(other.length, wanted.length) / 3));
    // Saves comparing most of many names: each character too many is an edit.
    if (Math.abs(Math.min(other.length, compared) - Math.min(wanted.length, compared)) > limit) continue;
    const distance = editDistance(wanted, other);
    if (distance <= limit) near.push({ candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, most).map(({ candidate }) => candidate);
}

/** Like {@link nearestName} with other names: `de` is also German. The first candidate wins a shared name. */
export function nearestNamed(
  name: string,
  candidates: readonly string[],
  namesOf: (candidate: string) => readonly string[],
): string | undefined {
  const near = nearestName(name, candidates);
  if (near !== undefined) return near;
  const named = new Map<string, string>();
  for (const candidate of candidates) {
    for (const other of namesOf(candidate)) if (other !== "" && !named.has(other)) named.set(other, candidate);
  }
  return named.get(nearestName(name, named.keys()) ?? "");
}

const compared = 64;

/** Levenshtein distance of the first 64 characters. A swap of neighbours counts as one edit: `hots` is near `host`. */
export function editDistance(left: string, right: string): number {
  const a = left.slice(0, compared);
  const b = right.slice(0, compared);
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(current[column - 1]! + 1, last[column]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

function normalise(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

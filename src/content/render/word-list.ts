/** The words of a list, between spaces and line endings. */
export function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

export function wordSet(list: string): ReadonlySet<string> {
  return new Set(words(list));
}

/** Groups of words, `bold strong b; italic em i`: the first of its group for each word behind it. */
export function synonyms(groups: string): ReadonlyMap<string, string> {
  const pairs = groups.split(";").flatMap((group) => {
    const [own = "", ...others] = words(group);
    return others.map((other) => [other, own] as const);
  });
  return new Map(pairs);
}

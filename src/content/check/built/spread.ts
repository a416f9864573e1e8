/** At most so many of the items, evenly spread. */
export function spread<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most);
  return Array.from({ length: Math.min(items.length, most) }, (_, at) => items[Math.floor(at * step)]!);
}

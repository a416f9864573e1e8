/** The part of a list that a request asks for. */
export interface PageOf<T> {
  records: T[];
  /** `Total` and `Per-Page`. */
  headers: Record<string, string>;
}

/**
 * Cuts the page out of a list. `per_page` over the maximum counts as the maximum, which the `Per-Page` header says;
 * a page behind the end is empty.
 */
export function pageOf<T>(
  list: ArrayLike<T>,
  query: { page?: number | undefined; per_page?: number | undefined },
  paging: { default: number; max: number },
): PageOf<T> {
  const perPage = Math.min(query.per_page ?? paging.default, paging.max);
  const start = ((query.page ?? 1) - 1) * perPage;
  const records: T[] = [];
  for (let index = start; index < Math.min(start + perPage, list.length); index += 1) records.push(list[index]!);
  return { records, headers: { Total: String(list.length), "Per-Page": String(perPage) } };
}

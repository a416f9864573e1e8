/**
 * What a cache between here and the upstream tells of an answer, from `X-Cache` and `Age`.
 * @param headers names in lower case
 * @returns `Hit from cloudfront, 12 s old`; undefined where neither header is there
 */
export function cacheText(headers: Readonly<Record<string, string>>): string | undefined {
  const { age, "x-cache": cache } = headers;
  const told = [
    ...(cache === undefined ? [] : [cache.slice(0, 60)]),
    ...(age !== undefined && /^\d{1,9}$/.test(age) ? [`${age} s old`] : []),
  ];
  return told.length === 0 ? undefined : told.join(", ");
}

import { redact } from "../../lib/redact/redact.js";

/**
 * What `X-Cache` and `Age` say of an answer that came through a cache.
 *
 * @param headers names in lower case
 * @returns `Hit from cloudfront, 12 s old`; undefined where neither header is there
 */
export function cacheText(headers: Readonly<Record<string, string>>): string | undefined {
  const { age, "x-cache": cache } = headers;
  const parts = [
    ...(cache === undefined ? [] : [redact(cache.slice(0, 1_000)).slice(0, 60)]),
    ...(age !== undefined && /^\d{1,9}$/.test(age) ? [`${age} s old`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

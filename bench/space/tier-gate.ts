/** What the published tiers allow: requests a second, by what is asked for. */
export interface TierGate {
  admit(path: string, perPage: string | null): { costMs: number; admitted: boolean };
}

/**
 * The published tiers as a server would enforce them, written down here once more on purpose: 50 single reads a second,
 * and 50, 15, 10, 6 lists a second of at most 25, 50, 75, and more a page, as shares of one second. A request is refused
 * when the last second would hold more than 1, with a tolerance for requests that were sent in time and arrive together.
 */
export function createTierGate(enforced: boolean): TierGate {
  let recent: { atMs: number; share: number }[] = [];
  return {
    admit(path, perPage) {
      const share = 1 / requestsPerSecond(path, perPage);
      const now = performance.now();
      recent = recent.filter(({ atMs }) => now - atMs < 1_000 - toleranceMs);
      const used = recent.reduce((sum, request) => sum + request.share, 0);
      const admitted = !enforced || used + share <= 1 + 1e-9;
      if (admitted && enforced) recent.push({ atMs: now, share });
      return { costMs: share * 1_000, admitted };
    },
  };
}

const toleranceMs = 20;

/** What the tier of a request allows. */
export function requestsPerSecond(path: string, perPage: string | null): number {
  const size = perPage === null ? 0 : Number(perPage);
  if (path.startsWith("/v2/cdn/stories/") || size <= 25) return 50;
  if (size <= 50) return 15;
  return size <= 75 ? 10 : 6;
}

import { lagMs, partOf } from "./lags.js";
import type { ModelSpace, Moment } from "./model-space.js";
import { type ModelAnswer, type ModelRequest, originAnswer, versionOf } from "./origin.js";
import type { Random } from "./random.js";

/** Which client asked, to know the origin of an edge's copies. */
export type Client = "sync" | "other";

/** A copy that an edge keeps. */
interface Kept {
  answer: ModelAnswer;
  storedMs: number;
  cv: number;
  planter: Client;
}

/** The faults of the origin behind an edge. */
export interface OriginTrouble {
  /** True if listings have their own order. */
  shuffled?: boolean;
  /** Share of the answers to a batch that are of an older cv, and say so. */
  staleOrigins?: number;
}

/** The caches in front of a space. */
export interface Edges {
  /** Answers by the rules of cv. */
  answer(edge: number, request: ModelRequest, client: Client, origin?: OriginTrouble): ModelAnswer;
  /** Copies of others that the sync was served, and answers of an older origin that is at the same cv. */
  readonly borrowed: readonly Kept[];
  forget(): void;
}

const weekMs = 7 * 86_400_000;
const spaceMs = 2_000;

/**
 * Edges that keep published answers for a week under their URL without the token. The space answers
 * a URL with the current cv, and the edge keeps the answer. An URL with another cv is answered if
 * the edge still has it, as an old state; else it is redirected to the current cv, and no redirect
 * is kept. Drafts are never kept, spaces/me for two seconds. If parts of the interface lag, the cv
 * of some time ago counts, and copies may be even older.
 */
export function createEdges(space: ModelSpace, count: number, random: Random): Edges {
  let caches = Array.from({ length: count }, () => new Map<string, Kept>());
  const borrowed: Kept[] = [];
  const lagging = random.stream("lags");
  const origins = random.stream("origins");
  const older = random.stream("older origin");
  const { lags, olderOrigin } = space.dialect;

  const fresh = (request: ModelRequest, cv: number, { shuffled, staleOrigins = 0 }: OriginTrouble): ModelAnswer => {
    const { dialect } = space;
    const part = partOf(request);
    const stale = staleMoment(request, cv, staleOrigins);
    const lagged = { ...space.momentAgo(part === undefined ? 0 : lagMs(lags[part], lagging)), cv };
    const isOlder =
      olderOrigin !== undefined &&
      part !== undefined &&
      olderOrigin.parts.includes(part) &&
      older.chance(olderOrigin.share);
    const moment = stale ?? (isOlder ? space.momentAgo(olderOrigin.behindMs) : lagged);
    const shuffle = shuffled ? random : undefined;
    const answer = originAnswer(request, {
      state: moment.state,
      dialect,
      cv: moment.cv,
      shuffle,
      ...(dialect.holdsCv ? { version: space.version } : {}),
    });
    const dated = { ...answer, headers: { date: new Date(space.nowMs).toUTCString(), ...answer.headers } };
    if (isOlder && moment.cv === cv) {
      borrowed.push({ answer: dated, storedMs: space.nowMs - olderOrigin.behindMs, cv, planter: "other" });
    }
    return dated;
  };

  /** The moment of a lagging origin's answer, which has an older cv. */
  function staleMoment({ pathname, query }: ModelRequest, cv: number, share: number): Moment | undefined {
    if (share === 0 || !pathname.endsWith("/stories") || versionOf(query) === "draft") return undefined;
    if (!query.has("by_uuids") || !origins.chance(share)) return undefined;
    return space.moments.findLast((moment) => moment.cv < cv);
  }

  return {
    borrowed,
    forget() {
      caches = caches.map(() => new Map());
    },
    answer(edge, request, client, origin = {}) {
      const { pathname, query } = request;
      const cache = caches[edge % count]!;
      const isSpace = pathname.endsWith("/spaces/me");
      const { cv } = space.momentAgo(lagMs(lags.cv, lagging));
      if (space.dialect.cvBy === "body" || versionOf(query) === "draft") return fresh(request, cv, origin);
      const url = `${pathname}?${query}`;
      const kept = cache.get(url);
      if (kept !== undefined && space.nowMs - kept.storedMs < (isSpace ? spaceMs : weekMs)) {
        if (client === "sync" && kept.planter === "other") borrowed.push(kept);
        return kept.answer;
      }
      const isUncovered = pathname.includes("/taxonomies") && space.dialect.taxonomies?.movesCv === false;
      const servesAnyCv =
        isSpace || isUncovered || (pathname.includes("/datasource") && !space.dialect.datasourcesRedirect);
      if (!servesAnyCv && query.get("cv") !== String(cv)) return redirect(request, cv, space.nowMs);
      const answer = fresh(request, cv, origin);
      if (answer.status === 200) cache.set(url, { answer, storedMs: space.nowMs, cv, planter: client });
      return answer;
    },
  };
}

/** To the same address with the current cv first; the token stays in it. */
function redirect({ pathname, query }: ModelRequest, cv: number, nowMs: number): ModelAnswer {
  const target = new URLSearchParams({ cv: String(cv) });
  for (const [name, value] of [...query].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name !== "cv") target.append(name, value);
  }
  const location = `${pathname.replace(/\/$/, "")}?${target}`;
  return { status: 301, headers: { location, date: new Date(nowMs).toUTCString() }, body: "" };
}

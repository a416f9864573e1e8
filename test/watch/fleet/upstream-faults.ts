import type { ErrorCode } from "../../../src/lib/errors.js";
import type { ScriptedAnswer } from "../../support/scripted-server.js";
import type { Arrival } from "./started-fleet.js";

/** What an upstream answers of a space in place of its content. */
interface Fault {
  answer: ScriptedAnswer;
  /** Of how many requests it answers the last; default: each. */
  nth?: number;
  /** What must be said of the space; undefined: it succeeds all the same. */
  code?: ErrorCode;
}

const refusal = (status: number) => ({ status, headers: {}, body: Buffer.from("{}") });

const faults: readonly Fault[] = [
  { answer: refusal(500), code: "UPSTREAM_UNREACHABLE" },
  { answer: refusal(401), code: "UPSTREAM_REFUSED" },
  { answer: refusal(404), code: "UPSTREAM_NOT_FOUND" },
  { answer: refusal(403), code: "UPSTREAM_REFUSED" },
  { answer: { status: 200, headers: {}, body: Buffer.from("<html>") }, code: "UPSTREAM_BAD_ANSWER" },
  { answer: { raw: [], after: "reset" }, code: "UPSTREAM_UNREACHABLE" },
  { answer: refusal(429), nth: 4 },
];

/** The counts of the upstream for a space: the truth that workers are compared with. */
export interface Counted {
  requests: number;
  limited: number;
  /** When it last answered with content, in milliseconds since the epoch; null: never. */
  lastGoodMs: number | null;
}

/** An upstream whose spaces each have their faults, which come, change and heal from round to round. */
export interface FaultyUpstream {
  counts: ReadonlyMap<string, Counted>;
  refuse(arrival: Arrival): ScriptedAnswer | undefined;
  /** Begins the next round. */
  next(): void;
  /** How a space fails in this round; undefined: it does not. `sinceMs`: when the first fault in a row came. */
  failing(space: string): { code: ErrorCode; sinceMs: number } | undefined;
}

/** @param faulty spaces with faults; each begins elsewhere in its cycle of four rounds: none, one, another one, none */
export function faultyUpstream(names: readonly string[], faulty: number): FaultyUpstream {
  const counts = new Map<string, Counted>();
  for (const name of names) counts.set(name, { requests: 0, limited: 0, lastGoodMs: null });
  const failing = new Map<string, { code: ErrorCode; sinceMs: number }>();
  let round = -1;
  const faultOf = (name: string): Fault | undefined => {
    const number = names.indexOf(name);
    const step = (round + number) % 4;
    return number < faulty && (step === 1 || step === 2) ? faults[(round + 3 * number) % faults.length] : undefined;
  };
  return {
    counts,
    failing: (space) => failing.get(space),
    refuse({ token, atMs }) {
      const count = counts.get(token.replace("token-of-", ""));
      if (count === undefined) return undefined;
      const { answer, nth = 1 } = faultOf(token.replace("token-of-", "")) ?? { nth: Number.POSITIVE_INFINITY };
      const isHit = answer !== undefined && count.requests % nth === nth - 1;
      count.requests += 1;
      if (!isHit) count.lastGoodMs = atMs;
      else if ("status" in answer && answer.status === 429) count.limited += 1;
      return isHit ? answer : undefined;
    },
    next() {
      round += 1;
      for (const name of names) {
        const code = faultOf(name)?.code;
        if (code === undefined) failing.delete(name);
        else failing.set(name, { code, sinceMs: failing.get(name)?.sinceMs ?? Date.now() });
      }
    },
  };
}

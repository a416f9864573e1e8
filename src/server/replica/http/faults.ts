import { parseDurationWithUnit } from "../../../config/schema/quantity.js";
import { errorResponse, type WholeResponse } from "./exchange.js";

/** What may go wrong on purpose: an HTTP status, a reset connection, a body that breaks off, no answer at all. */
export const faultKinds = ["429", "500", "502", "503", "504", "reset", "truncate", "stall"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One `--fault`: it meets a share of the requests at random, or exactly every n-th one. */
export interface FaultRule {
  kind: FaultKind;
  /** 0 to 1. */
  share?: number;
  every?: number;
}

/** An answer waits so many milliseconds before it is sent, chosen at random between both. */
export interface Latency {
  minMs: number;
  maxMs: number;
}

/** The longest latency that can be asked for. */
const longestLatencyMs = 600_000;

/**
 * Reads `429=10%` (a share of the requests, at random) or `reset=1/20` (exactly every twentieth request).
 * @returns undefined for anything else
 */
export function parseFault(text: string): FaultRule | undefined {
  const match = /^(\w+)=(?:(\d{1,3}(?:\.\d+)?)%|1\/(\d{1,9}))$/.exec(text.trim());
  const kind = faultKinds.find((name) => name === match?.[1]);
  if (match === null || kind === undefined) return undefined;
  if (match[3] !== undefined) return Number(match[3]) > 0 ? { kind, every: Number(match[3]) } : undefined;
  const share = Number(match[2]) / 100;
  return share <= 1 ? { kind, share } : undefined;
}

/** Reads `200ms`, `2s`, or a range `100ms-2s`. @returns undefined for anything else */
export function parseLatency(text: string): Latency | undefined {
  const [first = "", last = first, ...more] = text.trim().split("-");
  const [minMs, maxMs] = [durationMs(first), durationMs(last)];
  if (more.length > 0 || minMs === undefined || maxMs === undefined || minMs > maxMs) return undefined;
  return { minMs, maxMs };
}

function durationMs(text: string): number | undefined {
  const ms = parseDurationWithUnit(text);
  return ms !== undefined && ms <= longestLatencyMs ? ms : undefined;
}

/**
 * Returns a function that decides which fault the next request meets, if any. Of several, the first rule counts.
 * @param random Returns a number from 0 up to, and without, 1.
 */
export function createFaults(rules: readonly FaultRule[], random: () => number): () => FaultKind | undefined {
  let requests = 0;
  return () => {
    requests += 1;
    const met = rules.filter(({ every, share = 0 }) =>
      every === undefined ? random() < share : requests % every === 0,
    );
    return met[0]?.kind;
  };
}

/** The response of a fault that is a status; 429 as documented, without Retry-After. */
export function faultResponse(status: number): WholeResponse {
  if (status === 429) return errorResponse(429);
  const body = Buffer.from(`${status}\n`);
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(body.byteLength) };
  return { status, headers, body };
}

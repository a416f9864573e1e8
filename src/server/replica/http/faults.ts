import { parseDurationWithUnit } from "../../../config/schema/quantity.js";
import { errorResponse, type WholeResponse } from "./exchange.js";

/** Faults to inject: an HTTP status, a reset connection, a truncated body, or no answer. */
export const faultKinds = ["429", "500", "502", "503", "504", "reset", "truncate", "stall"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One `--fault`: hits a random share of the requests, or exactly every n-th one. */
export interface FaultRule {
  kind: FaultKind;
  /** 0 to 1. */
  share?: number;
  every?: number;
}

/** A random delay before each answer, in milliseconds. */
export interface Latency {
  minMs: number;
  maxMs: number;
}

const longestLatencyMs = 600_000;

/** Parses `429=10%` (a random share) or `reset=1/20` (every 20th); undefined for anything else. */
export function parseFault(text: string): FaultRule | undefined {
  const match = /^(\w+)=(?:(\d{1,3}(?:\.\d+)?)%|1\/(\d{1,9}))$/.exec(text.trim());
  const kind = faultKinds.find((name) => name === match?.[1]);
  if (match === null || kind === undefined) return undefined;
  if (match[3] !== undefined) return Number(match[3]) > 0 ? { kind, every: Number(match[3]) } : undefined;
  const share = Number(match[2]) / 100;
  return share <= 1 ? { kind, share } : undefined;
}

/** Parses `200ms`, `2s`, or a range `100ms-2s`. @returns undefined for anything else */
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

export function createFaults(rules: readonly FaultRule[], random: () => number): () => FaultKind | undefined {
  let requests = 0;
  return () => {
    requests += 1;
    const isMet = ({ every, share = 0 }: FaultRule) =>
      every === undefined ? random() < share : requests % every === 0;
    return rules.filter(isMet)[0]?.kind;
  };
}

/** What the platform says; requests count by the clock's second, whatever their tier. */
const rateLimitText = "Rate limit of 50 request per second has been reached";

/** The response of a status fault; 429 as documented, without Retry-After. */
export function faultResponse(status: number): WholeResponse {
  if (status === 429) return errorResponse(429, rateLimitText);
  const body = Buffer.from(`${status}\n`);
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(body.byteLength) };
  return { status, headers, body };
}

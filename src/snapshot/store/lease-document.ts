import { parseAs } from "../../lib/parse-as.js";
import { anything, flag, isObject, object, oneOf, type ShapeOf, where, wholeNumber } from "../../lib/shape.js";
import { ownerShape } from "./lock-owner.js";

const leaseFormat = 1;

const leaseShape = object({
  format: oneOf(leaseFormat),
  /** Incremented each time the lease is taken. */
  term: where(wholeNumber, "above 0", (term) => term > 0),
  holder: ownerShape,
  /** Whether the holder released it. */
  free: flag,
  /** Its duration without renewal, in milliseconds. */
  leaseMs: where(wholeNumber, "above 0", (ms) => ms > 0),
  /** Its end by the bucket's clock, in milliseconds since the epoch. */
  expiresMs: wholeNumber,
});

export interface LeaseDocument extends ShapeOf<typeof leaseShape> {
  /** The snapshot's state, as in `.state.json`; null: none. */
  state: Record<string, unknown> | null;
}

/** `newer`: written by a later version of this program. `damaged`: not written by any. */
export type ReadLease = LeaseDocument | "damaged" | "newer";

export function parseLease(bytes: Uint8Array): ReadLease {
  const value = parseAs(bytes, anything);
  if (isObject(value) && typeof value.format === "number" && value.format > leaseFormat) return "newer";
  if (!leaseShape.is(value)) return "damaged";
  const { state } = value as { state?: unknown };
  return { ...value, state: isObject(state) ? state : null };
}

export function leaseText(lease: Omit<LeaseDocument, "format">): string {
  return `${JSON.stringify({ format: leaseFormat, ...lease }, null, 1)}\n`;
}

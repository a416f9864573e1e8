import { parseAs } from "../../lib/parse-as.js";
import { anything, flag, isObject, object, oneOf, text, where, wholeNumber } from "../../lib/shape.js";
import { type LockOwner, ownerShape } from "./lock-owner.js";

const leaseFormat = 1;

export interface LeaseDocument {
  format: typeof leaseFormat;
  /** Incremented each time the lease is taken. */
  term: number;
  holder: LockOwner;
  /** Whether the holder released it. */
  free: boolean;
  /** Its duration without renewal, in milliseconds. */
  leaseMs: number;
  /** Its end by the bucket's clock, in milliseconds since the epoch. */
  expiresMs: number;
  /** The snapshot's state, as in `.state.json`; null: none. */
  state: Record<string, unknown> | null;
}

const leaseShape = object<Omit<LeaseDocument, "state">>({
  format: oneOf(leaseFormat),
  term: where(wholeNumber, "above 0", (term) => term > 0),
  holder: ownerShape,
  free: flag,
  leaseMs: where(wholeNumber, "above 0", (ms) => ms > 0),
  expiresMs: wholeNumber,
});

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

/** A folder's note about its last lease. */
export interface LeaseNote {
  /** The bucket with its prefix. */
  address: string;
  nonce: string;
}

const noteShape = object<LeaseNote>({ address: text, nonce: text });

export function parseLeaseNote(bytes: Uint8Array | undefined): LeaseNote | undefined {
  return parseAs(bytes, noteShape);
}

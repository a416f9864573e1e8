import { flag, isObject, object, oneOf, text, where, wholeNumber } from "../../lib/shape.js";
import { type LockOwner, ownerShape } from "./lock-owner.js";

const leaseFormat = 1;

/** What the lease object of a bucket says. */
export interface LeaseDocument {
  format: typeof leaseFormat;
  /** Grows by one each time that the lease is taken. */
  term: number;
  /** Who has it, or had it last. */
  holder: LockOwner;
  /** Whether the holder gave it back. */
  free: boolean;
  /** How long it lasts without being renewed, in milliseconds. */
  leaseMs: number;
  /** When it ends, in milliseconds since the epoch by the bucket's clock. */
  expiresMs: number;
  /** The state of the snapshot, as `.state.json` holds it in a folder; null: none. */
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

/** `newer`: a later version of this program has written it. `damaged`: none has. */
export type ReadLease = LeaseDocument | "damaged" | "newer";

export function parseLease(bytes: Uint8Array): ReadLease {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return "damaged";
  }
  if (isObject(value) && typeof value.format === "number" && value.format > leaseFormat) return "newer";
  if (!leaseShape.is(value)) return "damaged";
  const { state } = value as { state?: unknown };
  return { ...value, state: isObject(state) ? state : null };
}

export function leaseText(lease: Omit<LeaseDocument, "format">): string {
  return `${JSON.stringify({ format: leaseFormat, ...lease }, null, 1)}\n`;
}

/** What a folder notes of the lease that it had last. */
export interface LeaseNote {
  /** The bucket with its prefix. */
  address: string;
  nonce: string;
}

const noteShape = object<LeaseNote>({ address: text, nonce: text });

/** undefined where there is none, or it is damaged. */
export function parseLeaseNote(bytes: Uint8Array | undefined): LeaseNote | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes ?? []).toString("utf8"));
    return noteShape.is(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

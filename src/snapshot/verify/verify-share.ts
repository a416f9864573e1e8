import { contentHash } from "../../lib/content-hash.js";

/** One of several equal shares of the files: number 1 to `of`. */
export interface VerifyShare {
  number: number;
  of: number;
}

/** By a hash of the file's name alone, so that each file is in the same share on each day. Pure. */
export function isInShare(file: string, share: VerifyShare | undefined): boolean {
  if (share === undefined) return true;
  const hash = Number.parseInt(contentHash(Buffer.from(file)).slice(0, 8), 16);
  return hash % share.of === share.number - 1;
}

/** The share of a calendar day. Consecutive days have consecutive shares, also at the end of a month. Pure. */
export function shareOfDay(day: Date, of: number): VerifyShare {
  const days = Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / 86_400_000;
  return { number: (days % of) + 1, of };
}

import type { StoreSetting } from "../../config/config.js";
import { storeAddressText } from "../../config/schema/store-address.js";
import { isOffprintError, type OffprintError } from "../../lib/errors.js";
import { leaseFile, manifestFile, trialFolder, trialResultFile } from "../../snapshot/layout.js";
import { noteTrial } from "../../snapshot/store/assure-bucket.js";
import type { LeaseHolder } from "../../snapshot/store/lease.js";
import { parseLease } from "../../snapshot/store/lease-document.js";
import { openBucket } from "../../snapshot/store/s3/open-bucket.js";
import { type StoreTrial, type TriableBucket, tryBucket } from "../../snapshot/store/store-trial.js";
import { type Finding, type FindingCode, finding } from "./diagnosis-finding.js";

export interface StoreFacts {
  address: string;
  origin?: string | undefined;
  hasSnapshot?: boolean | undefined;
  /** Who holds the write lease now. Undefined if nobody, or unknown. */
  writer?: { holder: LeaseHolder; untilMs: number } | undefined;
  trial?: StoreTrial | undefined;
  error?: OffprintError | undefined;
}

/** @param triesStorage test it: writes objects, removes them, and stores the result, so that the first sync need not */
export async function gatherStore(
  setting: StoreSetting,
  env: Readonly<Record<string, string | undefined>>,
  triesStorage: boolean,
): Promise<StoreFacts> {
  const facts: StoreFacts = { address: storeAddressText(setting) };
  try {
    const bucket: TriableBucket = openBucket(setting, { env });
    facts.origin = await bucket.origin();
    facts.hasSnapshot = (await bucket.get(manifestFile)) !== undefined;
    facts.writer = await writerOf(bucket);
    if (!triesStorage) return facts;
    facts.trial = await tryBucket(bucket, { folder: trialFolder });
    await noteTrial(bucket, trialResultFile, facts.trial, Date.now());
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    facts.error = error;
  }
  return facts;
}

async function writerOf(bucket: TriableBucket): Promise<StoreFacts["writer"]> {
  const found = await bucket.get(leaseFile);
  const lease = typeof found === "object" ? parseLease(found.bytes) : undefined;
  if (typeof lease !== "object" || lease.free || lease.expiresMs <= bucket.storageMs()) return undefined;
  return { holder: lease.holder, untilMs: lease.expiresMs };
}

/** Findings for the errors of a store. */
export const storeErrorFindings: Partial<Record<OffprintError["code"], FindingCode>> = {
  STORE_CREDENTIALS: "STORE_NO_KEY",
  STORE_REFUSED: "STORE_REFUSED",
  STORE_MISSING: "STORE_MISSING",
  STORE_UNREACHABLE: "STORE_UNREACHABLE",
};

export function checkStore(facts: StoreFacts, { singleWriter }: Pick<StoreSetting, "singleWriter">): Finding[] {
  const { address, origin, hasSnapshot, writer, trial, error } = facts;
  const found: Finding[] = [];
  if (hasSnapshot !== undefined) {
    const what = hasSnapshot ? "holds a snapshot" : "holds no snapshot yet";
    found.push(finding(hasSnapshot ? "STORE_OK" : "STORE_EMPTY", `${address} at ${origin} answers, and ${what}.`));
  }
  if (writer !== undefined) {
    const { holder, untilMs } = writer;
    const name = `process ${holder.pid} on ${holder.host} since ${holder.since}`;
    const what = `${name} writes there; its lease lasts until ${new Date(untilMs).toISOString()} unless it is renewed.`;
    found.push(finding("STORE_LEASED", what, "Other commands that write end with LOCKED until it has ended."));
  }
  if (trial !== undefined) found.push(...checkTrial(trial, singleWriter));
  if (error !== undefined)
    found.push(finding(storeErrorFindings[error.code] ?? "STORE_NOT_S3", error.message, error.hint));
  return found;
}

function checkTrial({ steps, hint }: StoreTrial, singleWriter: boolean): Finding[] {
  const advice = `${hint === "" ? "" : `${hint} `}Use another storage; or, where one machine alone writes there, set output.s3.singleWriter: true.`;
  const unsafe = singleWriter
    ? (["STORE_UNSAFE_ALONE", "output.s3.singleWriter is set: make sure that nothing else writes there."] as const)
    : (["STORE_UNSAFE", advice] as const);
  const late = "Make output.s3.lease longer than a machine is ever stopped, or use another storage.";
  return steps.map(({ step, outcome, seen }) => {
    const what = `${step}: ${seen}`;
    if (outcome === "ok") return finding("STORE_TRIED", what);
    if (outcome === "warning") return finding("STORE_LATE_WRITES", what, late);
    return finding(unsafe[0], what, unsafe[1]);
  });
}

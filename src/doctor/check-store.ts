import type { StoreSetting } from "../config/config.js";
import { storeAddressText } from "../config/store-address.js";
import { isOffprintError, type OffprintError } from "../errors.js";
import { manifestFile } from "../snapshot/layout.js";
import { openBucket } from "../store/s3/open-bucket.js";
import { type StoreTrial, type TriableBucket, tryBucket } from "../store/store-trial.js";
import { type Finding, type FindingCode, finding } from "./finding.js";

/** What was seen of the bucket that the snapshot lies in. */
export interface StoreFacts {
  /** `s3://bucket/prefix`. */
  address: string;
  /** Origin of the storage; undefined: not known. */
  origin: string | undefined;
  /** Whether a snapshot lies there; undefined where that could not be seen. */
  hasSnapshot: boolean | undefined;
  /** What came of the trial of its storage; undefined: none was asked for, or it could not be made. */
  trial: StoreTrial | undefined;
  /** Why something could not be seen. */
  error: OffprintError | undefined;
}

export interface StoreQuestion {
  setting: StoreSetting;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether the storage is tried, which writes objects of its own and removes them. */
  triesStorage: boolean;
}

/** Reads the pointer in the bucket, and tries its storage where that is asked for. */
export async function gatherStore({ setting, env, triesStorage }: StoreQuestion): Promise<StoreFacts> {
  const facts: StoreFacts = {
    address: storeAddressText(setting),
    origin: undefined,
    hasSnapshot: undefined,
    trial: undefined,
    error: undefined,
  };
  try {
    const bucket: TriableBucket = openBucket(setting, { env });
    facts.origin = await bucket.origin();
    facts.hasSnapshot = (await bucket.get(manifestFile)) !== undefined;
    if (triesStorage) facts.trial = await tryBucket(bucket);
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    facts.error = error;
  }
  return facts;
}

const errorFindings: Partial<Record<OffprintError["code"], FindingCode>> = {
  STORE_CREDENTIALS: "STORE_NO_KEY",
  STORE_REFUSED: "STORE_REFUSED",
  STORE_MISSING: "STORE_MISSING",
  STORE_UNREACHABLE: "STORE_UNREACHABLE",
};

/** Judges what was seen of the bucket. */
export function checkStore(facts: StoreFacts, { singleWriter }: Pick<StoreSetting, "singleWriter">): Finding[] {
  const { address, origin, hasSnapshot, trial, error } = facts;
  const found: Finding[] = [];
  if (hasSnapshot !== undefined) {
    const what = hasSnapshot ? "holds a snapshot" : "holds no snapshot yet";
    found.push(finding(hasSnapshot ? "STORE_OK" : "STORE_EMPTY", `${address} at ${origin} answers, and ${what}.`));
  }
  if (trial !== undefined) found.push(...checkTrial(trial, singleWriter));
  if (error !== undefined) found.push(finding(errorFindings[error.code] ?? "STORE_NOT_S3", error.message, error.hint));
  return found;
}

function checkTrial({ steps, hint }: StoreTrial, singleWriter: boolean): Finding[] {
  const advice = `${hint === "" ? "" : `${hint} `}Use another storage; or, where one machine alone writes there, set output.s3.singleWriter: true.`;
  return steps.map(({ step, outcome, seen }) => {
    const what = `${step}: ${seen}`;
    if (outcome === "ok") return finding("STORE_TRIED", what);
    if (outcome === "warning") {
      return finding(
        "STORE_LATE_WRITES",
        what,
        "Make output.s3.lease longer than a machine is ever stopped, or use another storage.",
      );
    }
    if (singleWriter)
      return finding(
        "STORE_UNSAFE_ALONE",
        what,
        "output.s3.singleWriter is set: make sure that nothing else writes there.",
      );
    return finding("STORE_UNSAFE", what, advice);
  });
}

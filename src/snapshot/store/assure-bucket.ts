import { OffprintError } from "../../lib/errors.js";
import { number, object, oneOf, text } from "../../lib/shape.js";
import type { Bucket } from "./bucket.js";
import { type StoreTrial, type TriableBucket, type TrialOptions, tryBucket } from "./store-trial.js";

/** Where a small text about a bucket is kept on this machine. */
export interface RememberedNote {
  /** undefined: there is none. */
  get(): Promise<string | undefined>;
  put(note: string): Promise<void>;
}

export interface AssureOptions {
  /** `output.s3.singleWriter`: nothing is tried. */
  singleWriter: boolean;
  /** What this machine knows of the bucket, so that nothing is asked when all is well. */
  remembered: RememberedNote;
  /** Milliseconds since the epoch; default: Date.now. */
  now?: () => number;
  trial: TrialOptions;
  /** The name of the note in the bucket. */
  noteFile: string;
}

/** How long a trial that went well is believed, in milliseconds. */
const believedMs = 30 * 24 * 60 * 60 * 1000;
const noteFormat = 1;

/** That a bucket was tried, and found safe: kept on this machine, and in the bucket for the others. */
interface TrialNote {
  format: typeof noteFormat;
  /** The same objects may be reached through storage that was not tried. */
  origin: string;
  address: string;
  verdict: "safe";
  triedAtMs: number;
}

const noteShape = object<TrialNote>({
  format: oneOf(noteFormat),
  origin: text,
  address: text,
  verdict: oneOf("safe"),
  triedAtMs: number,
});

/**
 * Makes sure that several machines may write to a bucket: by what this machine remembers, by what another one has left in the
 * bucket, or by a trial, once in 30 days. A bucket that was found unsafe is tried again the next time.
 *
 * @param bucket one whose storage cannot be tried is taken as it is
 * @throws OffprintError `STORE_UNSAFE` naming what was seen; as {@link tryBucket} else
 */
export async function assureBucket(bucket: Bucket, options: AssureOptions): Promise<void> {
  if (options.singleWriter || !isTriable(bucket)) return;
  const { remembered } = options;
  const now = options.now ?? Date.now;
  const origin = await bucket.origin();
  const isGood = (written: string | undefined) =>
    isBelieved(written, { origin, address: bucket.address, nowMs: now() });
  if (isGood(await remembered.get().catch(() => undefined))) return;
  const found = await bucket.get(options.noteFile);
  const inBucket = typeof found === "object" ? Buffer.from(found.bytes).toString() : undefined;
  if (isGood(inBucket)) return remember(remembered, inBucket as string);
  const trial = await tryBucket(bucket, options.trial);
  const written = await noteTrial(bucket, options.noteFile, trial, now());
  if (written === undefined) throw unsafeError(trial);
  await remember(remembered, written);
}

/**
 * Leaves in the bucket that it was tried and found safe, so that no machine tries it again for 30 days. If it was found
 * unsafe, an earlier note is removed.
 *
 * @returns the note; undefined if the bucket is unsafe
 */
export async function noteTrial(
  bucket: TriableBucket,
  noteFile: string,
  { verdict }: Pick<StoreTrial, "verdict">,
  nowMs: number,
): Promise<string | undefined> {
  if (verdict === "unsafe") {
    await bucket.remove(noteFile);
    return undefined;
  }
  const origin = await bucket.origin();
  const note: TrialNote = { format: noteFormat, origin, address: bucket.address, verdict: "safe", triedAtMs: nowMs };
  const written = `${JSON.stringify(note)}\n`;
  await bucket.put(noteFile, Buffer.from(written));
  return written;
}

/** The error for a bucket that several machines must not write to. */
function unsafeError({ address, steps, hint }: StoreTrial): OffprintError {
  const failed = steps.filter(({ outcome }) => outcome === "failed");
  const seen = failed.map(({ step, seen }) => `${seen} [${step}]`).join(" ");
  return new OffprintError("STORE_UNSAFE", `${address} is not written: ${seen}`, {
    hint: `${hint === "" ? "" : `${hint} `}Use another storage; or, where one machine alone writes there, set output.s3.singleWriter: true. It can always be read.`,
  });
}

function isTriable(bucket: Bucket): bucket is TriableBucket {
  return "tryOnce" in bucket;
}

/** A note that cannot be kept costs a request the next time. */
async function remember(remembered: RememberedNote, note: string): Promise<void> {
  await remembered.put(note).catch(() => undefined);
}

function isBelieved(written: string | undefined, at: { origin: string; address: string; nowMs: number }): boolean {
  if (written === undefined) return false;
  let note: unknown;
  try {
    note = JSON.parse(written);
  } catch {
    return false;
  }
  if (!noteShape.is(note) || note.origin !== at.origin || note.address !== at.address) return false;
  const ageMs = at.nowMs - note.triedAtMs;
  return ageMs > -believedMs && ageMs < believedMs;
}

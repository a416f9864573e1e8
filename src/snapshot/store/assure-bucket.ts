import { OffprintError } from "../../lib/errors.js";
import { parseAs } from "../../lib/parse-as.js";
import { number, object, oneOf, type ShapeOf, text } from "../../lib/shape.js";
import type { Bucket } from "./bucket.js";
import type { Store } from "./store.js";
import { type StoreTrial, type TriableBucket, type TrialOptions, tryBucket } from "./store-trial.js";

export interface AssureOptions {
  /** `output.s3.singleWriter`: skips the trial. */
  singleWriter: boolean;
  /** This machine's note about the bucket, which saves requests. */
  remembered: { files: Pick<Store, "get" | "replace">; name: string };
  /** Milliseconds since the epoch; default: Date.now. */
  now?: () => number;
  trial: TrialOptions;
  noteFile: string;
}

/** How long a successful trial is trusted, in milliseconds. */
const believedMs = 30 * 24 * 60 * 60 * 1000;
const noteFormat = 1;

/** A bucket was tried and found safe: noted on this machine, and in the bucket for others. */
const noteShape = object({
  format: oneOf(noteFormat),
  /** The same objects may be reachable through untried storage. */
  origin: text,
  address: text,
  verdict: oneOf("safe"),
  triedAtMs: number,
});
type TrialNote = ShapeOf<typeof noteShape>;

/** Ensures that several machines can write, by a note or a trial, once in 30 days. @throws `STORE_UNSAFE` */
export async function assureBucket(bucket: Bucket, options: AssureOptions): Promise<void> {
  if (options.singleWriter || !isTriable(bucket)) return;
  const now = options.now ?? Date.now;
  const origin = await bucket.origin();
  const isGood = (written: Uint8Array | undefined) =>
    isBelieved(written, { origin, address: bucket.address, nowMs: now() });
  const { files, name } = options.remembered;
  if (isGood(await files.get(name).catch(() => undefined))) return;
  // Without a note here, the next check costs a request.
  const remember = (note: Uint8Array) => files.replace(name, note).catch(() => undefined);
  const found = await bucket.get(options.noteFile);
  if (typeof found === "object" && isGood(found.bytes)) {
    await remember(found.bytes);
    return;
  }
  const trial = await tryBucket(bucket, options.trial);
  const written = await noteTrial(bucket, options.noteFile, trial, now());
  if (written === undefined) throw unsafeError(trial);
  await remember(written);
}

/** Notes in the bucket that it is safe, else removes the note. @returns the note; undefined if it is unsafe */
export async function noteTrial(
  bucket: TriableBucket,
  noteFile: string,
  { verdict }: Pick<StoreTrial, "verdict">,
  nowMs: number,
): Promise<Uint8Array | undefined> {
  if (verdict === "unsafe") {
    await bucket.remove(noteFile);
    return undefined;
  }
  const origin = await bucket.origin();
  const { address } = bucket;
  const note: TrialNote = { format: noteFormat, origin, address, verdict: "safe", triedAtMs: nowMs };
  const written = Buffer.from(`${JSON.stringify(note)}\n`);
  await bucket.put(noteFile, written);
  return written;
}

function unsafeError({ address, steps, hint }: StoreTrial): OffprintError {
  const failed = steps.filter(({ outcome }) => outcome === "failed");
  const seen = failed.map(({ step, seen }) => `${seen} [${step}]`).join(" ");
  return new OffprintError("STORE_UNSAFE", `Refusing to write to ${address}: ${seen}`, {
    hint: `${hint === "" ? "" : `${hint} `}Use another storage; or, if only one machine writes there, set output.s3.singleWriter: true. Reading is always safe.`,
  });
}

function isTriable(bucket: Bucket): bucket is TriableBucket {
  return "tryOnce" in bucket;
}

function isBelieved(written: Uint8Array | undefined, at: { origin: string; address: string; nowMs: number }): boolean {
  const note = parseAs(written, noteShape);
  if (note?.origin !== at.origin || note.address !== at.address) return false;
  const ageMs = at.nowMs - note.triedAtMs;
  return ageMs > -believedMs && ageMs < believedMs;
}

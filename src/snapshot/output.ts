import type { OffprintError, Problem } from "../lib/errors.js";
import type { Bucket } from "./store/bucket.js";
import type { LeaseClock } from "./store/lease.js";
import type { Lock } from "./store/lock.js";
import type { Store } from "./store/store.js";

/** Where a snapshot lies: its files, and the right to write them. */
export interface Output {
  /** Absolute path of the folder that has what belongs to this machine: all of it, or all but the snapshot. */
  dir: string;
  store: Store;
  /** @throws OffprintError `LOCKED` naming the process that writes there. */
  lock(): Promise<Lock>;
  /** Removes what a process that was killed at its very end has left; quiet while another process writes. */
  tidy?(): Promise<void>;
  /**
   * Where machines share the snapshot: waits until this process may write it, and keeps that right until {@link close}. For
   * a process that stays: {@link lock} only takes it for as long as its lock is held.
   * @param options.onWait called once for each process that is waited for; undefined: it is not known which
   * @returns whether the right is a new one, and the signal that comes when it is lost
   * @throws the reason of the signal; OffprintError `STORE_REFUSED`, `STORE_MISSING`, `SNAPSHOT_FORMAT` …
   */
  standBy?(options: StandByOptions): Promise<Leadership>;
  /** Gives back what {@link standBy} has taken. */
  close?(): Promise<void>;
}

export interface StandByOptions {
  signal: AbortSignal;
  onWait(holder: { host: string; pid: number; since: string } | undefined): void;
  /** Called once for each time that what is shared cannot be reached while it is waited for; the waiting goes on. */
  onFailure(error: OffprintError): void;
}

export interface Leadership {
  /** Whether another process may have written since this one did. */
  isNew: boolean;
  /** Comes when the right is lost, with the error as its reason. */
  lost: AbortSignal;
}

/** How an output in a bucket is opened. */
export interface OpenOutputOptions {
  /** The bucket of `output.store`; default: that storage. */
  bucket?: Bucket;
  /** Where the key to it is looked for; default: the environment of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  clock?: LeaseClock;
  /**
   * Called, before this process takes the lease for the first time: throws where the bucket must not be written. Default:
   * its storage is tried, as `assureBucket` says.
   */
  assure?(bucket: Bucket): Promise<void>;
  /** Takes what is worth telling and stops nothing. */
  onNote?(note: Problem): void;
}

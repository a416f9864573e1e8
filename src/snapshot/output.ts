import type { OffprintError, Problem } from "../lib/errors.js";
import type { State } from "./state.js";
import type { Bucket } from "./store/bucket.js";
import type { AcquireInTimeOptions, LeaseClock } from "./store/lease.js";
import type { Lock } from "./store/lock.js";
import type { Store } from "./store/store.js";

/** A snapshot's place: its files, and the right to write them. */
export interface Output {
  /** Absolute path of this machine's folder: with the snapshot, or, for a bucket, without it. */
  dir: string;
  store: Store;
  /** @throws OffprintError `LOCKED` with the process that writes there. */
  lock(): Promise<Lock>;
  /** Removes what a killed process left. Does nothing while another process writes. */
  tidy?(): Promise<void>;
  /**
   * For a shared snapshot: waits for the right to write, and keeps it until {@link close}, beyond each {@link lock}.
   * @throws the reason of the signal; OffprintError `STORE_REFUSED`, `STORE_MISSING`, `SNAPSHOT_FORMAT` …
   */
  standBy?(options: StandByOptions): Promise<Leadership>;
  /** For a shared snapshot: tells who stands by that the generation was confirmed. Costs no request. */
  tellConfirmed?(atMs: number): void;
  /** Gives up what {@link standBy} took. */
  close?(): Promise<void>;
}

export interface StandByOptions extends Omit<AcquireInTimeOptions, "onState"> {
  /** Called at each look at the lease, with what its holder tells of the snapshot. */
  onState?(state: Pick<State, "generation" | "confirmedAtMs">): void;
  onFailure(error: OffprintError): void;
}

export interface Leadership {
  /** Whether another process may have written since this one did. */
  isNew: boolean;
  /** Aborts when the right is lost, with the error as its reason. */
  lost: AbortSignal;
}

export interface OpenOutputOptions {
  /** The bucket of `output.store`; default: opens that storage. */
  bucket?: Bucket;
  /** Where to find its key; default: this process's environment. */
  env?: Readonly<Record<string, string | undefined>>;
  clock?: LeaseClock;
  /** Called before this process first takes the lease; may throw. Default: `assureBucket`. */
  assure?(bucket: Bucket): Promise<void>;
  /** Receives warnings that stop nothing. */
  onNote?(note: Problem): void;
}

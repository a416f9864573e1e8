import { setTimeout as sleep } from "node:timers/promises";
import { isOffprintError, OffprintError } from "../../lib/errors.js";
import type { Bucket } from "./bucket.js";
import { type LeaseDocument, leaseText, parseLease, type ReadLease } from "./lease-document.js";
import { isGone, isNeighbour, type LockOwner, newOwner, ownerText } from "./lock-owner.js";

/** Time for a lease; tests replace it. */
export interface LeaseClock {
  /** Milliseconds since the epoch: continues while the machine sleeps, and may be set. */
  now(): number;
  /** Monotonic milliseconds: never set, but may stop while the machine sleeps. */
  elapsed(): number;
  /** Ends early, without an error, when the signal aborts. @param holds keeps the process alive */
  sleep(ms: number, signal: AbortSignal | undefined, holds: boolean): Promise<void>;
}

export const systemLeaseClock: LeaseClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal, holds) =>
    sleep(ms, undefined, { ref: holds, ...(signal && { signal }) }).catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    }),
};

/** Milliseconds before the end for the last request, and after it until the next holder starts. */
const marginMs = 1000;
/** How often to look again after losing a race. */
const mostAttempts = 5;
/** Largest jump of the bucket's clock between a write and its answer, in milliseconds. */
const steadyMs = 5000;

export interface LeaseOptions {
  name: string;
  leaseMs: number;
  clock: LeaseClock;
}

export type LeaseHolder = Pick<LockOwner, "host" | "pid" | "since">;

export interface TakenLease {
  /** Identifies this holding of the lease. */
  nonce: string;
  /** The previous holding; undefined if there was none. */
  before: string | undefined;
}

export interface AcquireInTimeOptions {
  signal: AbortSignal;
  /** Called once for each holder. */
  onWait(holder: LeaseHolder | undefined): void;
  /** Called at each look. */
  onState?(state: LeaseDocument["state"]): void;
  /** Called for each failure to reach the store while waiting, which continues. */
  onFailure?(error: OffprintError): void;
}

interface Found {
  tag: string | undefined;
  lease: ReadLease | undefined;
}

interface Held {
  owner: LockOwner;
  term: number;
  tag: string;
  /** By the bucket's clock. */
  expiresMs: number;
  /** Monotonic start time of the write that set the end. */
  renewedElapsedMs: number;
  ended: AbortController;
}

/**
 * The right to write to a bucket, for one process at a time: an object that its holder renews, and
 * that others may take over once it has ended by the bucket's clock. Writes carry that end
 * (`untilMs`), so the bucket refuses late ones. Each renewal writes the snapshot's latest state.
 */
export class Lease {
  readonly #bucket: Bucket;
  readonly #name: string;
  readonly #leaseMs: number;
  readonly #clock: LeaseClock;
  /** Serializes requests. */
  #queue: Promise<unknown> = Promise.resolve();
  #held: Held | undefined;
  /** Why we lost the lease. Undefined if we never held it or released it. */
  #lost: OffprintError | undefined;
  #seen: Found | undefined;
  #state: LeaseDocument["state"] = null;

  constructor(bucket: Bucket, { name, leaseMs, clock }: LeaseOptions) {
    this.#bucket = bucket;
    this.#name = name;
    this.#leaseMs = leaseMs;
    this.#clock = clock;
  }

  get isHeld(): boolean {
    this.#endWhenOver();
    return this.#held !== undefined;
  }

  /** Aborts when the lease is lost, with the error as its reason; undefined if not held. */
  get lost(): AbortSignal | undefined {
    return this.#held?.ended.signal;
  }

  /** The state: ours while held, else the object's. @throws as {@link Bucket.get} */
  async state(): Promise<LeaseDocument["state"]> {
    if (this.isHeld) return this.#state;
    const { lease } = await this.#look();
    return typeof lease === "object" ? lease.state : null;
  }

  /** Written by the next renewal or the release. @throws OffprintError `LOCKED` if not held */
  setState(state: LeaseDocument["state"]): void {
    this.assertHeld();
    this.#state = state;
  }

  /** Notes a later confirmation in the state, for those who stand by. Nothing if the lease is not held. */
  tellConfirmed(atMs: number): void {
    if (this.isHeld && this.#state !== null) this.#state = { ...this.#state, confirmedAtMs: atMs };
  }

  /** @throws OffprintError `LOCKED` if the lease is not held, or has ended */
  assertHeld(): void {
    this.#endWhenOver();
    if (this.#held === undefined) throw this.#lost ?? notHeld(this.#bucket.address);
  }

  /** The latest time for our writes, by the bucket's clock. @throws OffprintError `LOCKED` */
  untilMs(): number {
    this.assertHeld();
    return (this.#held as Held).expiresMs - this.#marginMs;
  }

  /** @param ours this folder's last holding, free if its process ended @throws `LOCKED`, `SNAPSHOT_FORMAT` */
  async acquire(ours?: string): Promise<TakenLease> {
    const taken = await this.#tryAcquire(ours);
    if ("until" in taken) throw taken.error;
    return taken;
  }

  /** {@link acquire}, but waits while another process holds it, until the signal aborts. */
  async acquireInTime(
    ours: string | undefined,
    { signal, onWait, onState, onFailure }: AcquireInTimeOptions,
  ): Promise<TakenLease> {
    let told: string | undefined;
    let isFailing = false;
    for (;;) {
      signal.throwIfAborted();
      let waitMs = this.#leaseMs / 3;
      try {
        const taken = await this.#tryAcquire(ours);
        if (!("until" in taken)) return taken;
        isFailing = false;
        const { holder, until } = taken;
        const { lease } = this.#seen ?? {};
        if (typeof lease === "object") onState?.(lease.state);
        if (told !== (holder?.nonce ?? "")) onWait(holder);
        told = holder?.nonce ?? "";
        waitMs = Math.min(waitMs, Math.max(until - this.#bucketNow(), 0) + 50);
      } catch (error) {
        // The bucket may become reachable; other errors stay.
        if (!isOffprintError(error, "STORE_UNREACHABLE") && !isOffprintError(error, "STORE_BAD_ANSWER")) throw error;
        if (!isFailing) onFailure?.(error);
        isFailing = true;
      }
      await this.#clock.sleep(waitMs, signal, true);
    }
  }

  /** Releases it with the state. Quiet on failure: the lease then ends by itself. */
  async release(): Promise<void> {
    if (!this.isHeld) {
      this.#lost = undefined;
      return;
    }
    try {
      await this.#inTurn(async () => {
        if (this.isHeld) await this.#write(true);
      });
    } catch (error) {
      if (!isOffprintError(error)) throw error;
    } finally {
      this.#end(undefined);
    }
  }

  async #tryAcquire(
    ours: string | undefined,
  ): Promise<TakenLease | { until: number; holder: LockOwner | undefined; error: OffprintError }> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt++) {
        const found = await this.#look();
        const blocked = await this.#blockedBy(found, ours);
        if (blocked !== undefined) return blocked;
        const taken = await this.#take(found);
        if (taken !== undefined) return taken;
        if (attempt === mostAttempts) {
          throw new OffprintError("LOCKED", `Other processes keep taking the lease of ${this.#bucket.address}.`, {
            hint: "Run the same command again.",
          });
        }
      }
    });
  }

  async #blockedBy({ lease }: Found, ours: string | undefined) {
    const { address } = this.#bucket;
    if (lease === undefined) return undefined;
    if (lease === "newer") {
      const what = `The lease of ${address} was written by a newer version of Offprint.`;
      throw new OffprintError("SNAPSHOT_FORMAT", what, {
        hint: "Use that version or a later one on every machine that writes there.",
      });
    }
    if (lease === "damaged") {
      const until = (await this.#writtenMs()) + this.#leaseMs + this.#marginMs;
      if (until <= this.#bucketNow()) return undefined;
      const error = new OffprintError("LOCKED", `The lease of ${address} (${this.#name}) cannot be read.`, {
        hint: "Another program wrote it. Offprint replaces it if it stays unchanged for the duration of a lease.",
      });
      return { until, holder: undefined, error };
    }
    if (lease.free) return undefined;
    const { holder } = lease;
    const until = lease.expiresMs + this.#marginMs;
    if (until <= this.#bucketNow()) return undefined;
    if (holder.nonce === ours && isNeighbour(holder) && (await isGone(holder))) return undefined;
    return { until, holder, error: heldBy(address, holder) };
  }

  /** @returns undefined if another process was faster */
  async #take({ tag, lease }: Found): Promise<TakenLease | undefined> {
    const known = typeof lease === "object" ? lease : undefined;
    const owner = { ...(await newOwner()), since: new Date(this.#clock.now()).toISOString() };
    this.#state = known?.state ?? null;
    const term = (known?.term ?? 0) + 1;
    const startedMs = this.#clock.elapsed();
    const expiresMs = this.#bucketNow() + this.#leaseMs;
    const outcome = await this.#bucket.put(this.#name, this.#bytes({ owner, term, expiresMs }, false), {
      condition: tag === undefined ? { absent: true } : { tag },
      untilMs: expiresMs - this.#marginMs,
    });
    if (!outcome.written) return undefined;
    this.#lost = undefined;
    const ended = new AbortController();
    this.#held = { owner, term, tag: outcome.tag, expiresMs, renewedElapsedMs: startedMs, ended };
    void this.#keep(this.#held);
    return { nonce: owner.nonce, before: known?.holder.nonce };
  }

  /** Renews every third of the duration, until the end. */
  async #keep(held: Held): Promise<void> {
    let waitMs = this.#leaseMs / 3;
    while (this.#held === held) {
      await this.#clock.sleep(waitMs, held.ended.signal, false);
      waitMs = this.#leaseMs / 3;
      const skewMs = this.#bucket.skewMs;
      try {
        await this.#inTurn(async () => {
          if (this.#held === held && this.isHeld) await this.#write(false);
        });
        // The clock was set, so the computed end is wrong.
        if (Math.abs(this.#bucket.skewMs - skewMs) > steadyMs) waitMs = 0;
      } catch (error) {
        if (isOffprintError(error, "LOCKED")) this.#end(error);
        // Other failures may pass before the lease ends.
        else waitMs = this.#leaseMs / 10;
      }
    }
  }

  async #write(free: boolean): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const held = this.#held as Held;
      const startedMs = this.#clock.elapsed();
      const expiresMs = this.#bucketNow() + this.#leaseMs;
      const outcome = await this.#bucket.put(this.#name, this.#bytes({ ...held, expiresMs }, free), {
        condition: { tag: held.tag },
        untilMs: this.untilMs(),
      });
      if (outcome.written) {
        Object.assign(held, { tag: outcome.tag, expiresMs, renewedElapsedMs: startedMs });
        return;
      }
      const { tag, lease } = await this.#look();
      const holder = typeof lease === "object" ? lease.holder : undefined;
      // An earlier write of ours succeeded, but its answer was lost.
      const isOurs = tag !== undefined && holder?.nonce === held.owner.nonce && attempt === 1;
      if (!isOurs) throw this.#end(takenOver(this.#bucket.address, holder));
      held.tag = tag;
    }
  }

  #bytes(held: Pick<Held, "owner" | "term" | "expiresMs">, free: boolean): Uint8Array {
    const { owner, term, expiresMs } = held;
    const lease = { term, holder: owner, free, leaseMs: this.#leaseMs, expiresMs: Math.round(expiresMs) };
    return Buffer.from(leaseText({ ...lease, state: this.#state }));
  }

  async #look(): Promise<Found> {
    const found = await this.#bucket.get(this.#name, this.#seen?.tag);
    if (found === undefined) {
      this.#seen = undefined;
      return { tag: undefined, lease: undefined };
    }
    if (found !== "same") this.#seen = { tag: found.tag, lease: parseLease(found.bytes) };
    return this.#seen as Found;
  }

  /** When the object was written, by the bucket's clock. */
  async #writtenMs(): Promise<number> {
    const entries = await this.#bucket.list(this.#name);
    return entries.find(({ name }) => name === this.#name)?.modifiedMs ?? Number.NEGATIVE_INFINITY;
  }

  #endWhenOver(): void {
    const held = this.#held;
    if (held === undefined) return;
    // One clock may stop while the machine sleeps, the other may be set: the earlier end counts.
    const byBucketMs = held.expiresMs - this.#bucketNow();
    const byElapsedMs = held.renewedElapsedMs + this.#leaseMs - this.#clock.elapsed();
    if (Math.min(byBucketMs, byElapsedMs) <= this.#marginMs) this.#end(expired(this.#bucket.address));
  }

  /** Ends our holding. @param why undefined if released */
  #end(why: OffprintError | undefined): OffprintError | undefined {
    this.#lost = why;
    const held = this.#held;
    this.#held = undefined;
    held?.ended.abort(why);
    return why;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  get #marginMs(): number {
    return Math.min(marginMs, this.#leaseMs / 5);
  }

  #bucketNow(): number {
    return this.#clock.now() + this.#bucket.skewMs;
  }
}

function heldBy(address: string, holder: LeaseHolder): OffprintError {
  return new OffprintError("LOCKED", `${ownerText(holder)} is writing to ${address}.`, {
    hint: "Wait until that run has ended; `offprint watch` keeps the lease while it runs. The lease of a dead process expires by itself.",
  });
}

function takenOver(address: string, holder: LeaseHolder | undefined): OffprintError {
  const by = holder === undefined ? "was removed or replaced" : `was taken over by ${ownerText(holder)}`;
  return new OffprintError("LOCKED", `The lease of ${address} ${by}. This run writes nothing more.`, {
    hint: "This run was paused for too long, or another program changed the bucket. Run it again.",
  });
}

function expired(address: string): OffprintError {
  return new OffprintError("LOCKED", `The lease of ${address} expired before it could be renewed.`, {
    hint: "This run was paused, or the bucket was unreachable for too long. Run it again.",
  });
}

function notHeld(address: string): OffprintError {
  return new OffprintError("LOCKED", `Offprint does not write to ${address} without its lease.`, {
    hint: "Run `offprint sync`, which takes it.",
  });
}

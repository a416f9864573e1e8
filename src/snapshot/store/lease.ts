import { setTimeout as sleep } from "node:timers/promises";
import { isOffprintError, OffprintError } from "../../lib/errors.js";
import type { Bucket } from "./bucket.js";
import { type LeaseDocument, leaseText, parseLease, type ReadLease } from "./lease-document.js";
import { isGone, isNeighbour, type LockOwner, newOwner } from "./lock-owner.js";

/** The time, as whoever has a lease sees it; tests give their own. */
export interface LeaseClock {
  /** Milliseconds since the epoch: goes on while the machine sleeps, and may be set. */
  now(): number;
  /** Milliseconds since some moment: is never set, and may stand still while the machine sleeps. */
  elapsed(): number;
  /** Ends early, without an error, when the signal comes. @param holds whether the process stays alive for it */
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

/** How long before its end the last request of a lease may arrive, and after its end the next holder waits; milliseconds. */
const marginMs = 1000;
/** How often the lease is looked at again where another process was faster. */
const mostAttempts = 5;
/** How far the bucket's clock, as we know it, may jump between a write and its answer, in milliseconds. */
const steadyMs = 5000;

export interface LeaseOptions {
  /** Name of its object. */
  name: string;
  leaseMs: number;
  clock: LeaseClock;
}

/** Someone else who may write. */
export type LeaseHolder = Pick<LockOwner, "host" | "pid" | "since">;

/** What the lease was when it was taken. */
export interface TakenLease {
  /** Marks this holding of the lease. */
  nonce: string;
  /** The mark of the holding before; undefined: there was none. */
  before: string | undefined;
}

interface Found {
  tag: string | undefined;
  lease: ReadLease | undefined;
}

/** While we have it. */
interface Held {
  owner: LockOwner;
  term: number;
  tag: string;
  /** By the bucket's clock. */
  expiresMs: number;
  /** The monotonic time at which the write began that set its end. */
  renewedElapsedMs: number;
  ended: AbortController;
}

/**
 * The right to write into a bucket, which one process at a time has: an object that its holder renews, and another one takes
 * over when it has ended by the bucket's clock. What the holder writes carries that end (`untilMs`), so that the bucket
 * refuses what arrives late. The object carries the state of the snapshot, too: each renewal brings the latest.
 */
export class Lease {
  readonly #bucket: Bucket;
  readonly #name: string;
  readonly #leaseMs: number;
  readonly #clock: LeaseClock;
  /** One request after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #held: Held | undefined;
  /** Why it is not ours any more; undefined: it was not ours, or was given back. */
  #lost: OffprintError | undefined;
  #seen: (Found & { bytes: Uint8Array }) | undefined;
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

  /** Comes when the lease is lost, with the error to report as its reason; undefined while it is not ours. */
  get lost(): AbortSignal | undefined {
    return this.#held?.ended.signal;
  }

  /** The state of the snapshot: ours while we have the lease, else as the object says. @throws as {@link Bucket.get} */
  async state(): Promise<LeaseDocument["state"]> {
    if (this.isHeld) return this.#state;
    const { lease } = await this.#look();
    return typeof lease === "object" ? lease.state : null;
  }

  /** The next renewal brings it, or the release. @throws OffprintError `LOCKED` where the lease is not ours */
  setState(state: LeaseDocument["state"]): void {
    this.assertHeld();
    this.#state = state;
  }

  /** @throws OffprintError `LOCKED` where the lease is not ours, or has ended */
  assertHeld(): void {
    this.#endWhenOver();
    if (this.#held === undefined) throw this.#lost ?? notHeld(this.#bucket.address);
  }

  /** Until when the bucket may take what we write, by its own clock. @throws OffprintError `LOCKED` */
  untilMs(): number {
    this.assertHeld();
    return (this.#held as Held).expiresMs - this.#marginMs;
  }

  /**
   * Takes the lease where nobody has it.
   * @param ours the mark of the holding that this folder had last: where that process is gone, its lease is not waited for.
   * @throws OffprintError `LOCKED` naming the holder, `SNAPSHOT_FORMAT` where a newer version has written it
   */
  async acquire(ours?: string): Promise<TakenLease> {
    const taken = await this.#tryAcquire(ours);
    if ("until" in taken) throw taken.error;
    return taken;
  }

  /**
   * The same, and waits while another process has it. The signal ends the waiting; its reason is thrown.
   * @param onWait called once for each holder that is waited for
   * @param onFailure called once for each time that the bucket cannot be reached: it is tried again
   */
  async acquireInTime(
    ours: string | undefined,
    signal: AbortSignal,
    onWait: (holder: LeaseHolder | undefined) => void,
    onFailure: (error: OffprintError) => void = () => undefined,
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
        if (told !== (holder?.nonce ?? "")) onWait(holder);
        told = holder?.nonce ?? "";
        waitMs = Math.min(waitMs, Math.max(until - this.#bucketNow(), 0) + 50);
      } catch (error) {
        // A bucket that cannot be reached now may be later; what else is wrong stays wrong.
        if (!isOffprintError(error, "STORE_UNREACHABLE") && !isOffprintError(error, "STORE_BAD_ANSWER")) throw error;
        if (!isFailing) onFailure(error);
        isFailing = true;
      }
      await this.#clock.sleep(waitMs, signal, true);
    }
  }

  /** Gives it back, with the state. Quiet where it is lost, or the bucket cannot be reached: then it ends by itself. */
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
          throw new OffprintError("LOCKED", `Other processes take the lease of ${this.#bucket.address} all the time.`, {
            hint: "Run the same command again.",
          });
        }
      }
    });
  }

  /** Why it cannot be taken now, and when it can. */
  async #blockedBy({ lease }: Found, ours: string | undefined) {
    const { address } = this.#bucket;
    if (lease === undefined) return undefined;
    if (lease === "newer") {
      const what = `The lease of ${address} was written by a newer version of Offprint.`;
      throw new OffprintError("SNAPSHOT_FORMAT", what, {
        hint: "Use that version on every machine that writes there.",
      });
    }
    if (lease === "damaged") {
      const until = (await this.#writtenMs()) + this.#leaseMs + this.#marginMs;
      if (until <= this.#bucketNow()) return undefined;
      const error = new OffprintError("LOCKED", `The lease of ${address} (${this.#name}) cannot be read.`, {
        hint: "Something else has written there. It is replaced once it has not changed for the time of a lease.",
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

  /** @returns undefined where another process was faster */
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

  /** Renews it every third of its time, until it ends. */
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
        // Its end was reckoned by a clock that was set meanwhile.
        if (Math.abs(this.#bucket.skewMs - skewMs) > steadyMs) waitMs = 0;
      } catch (error) {
        if (isOffprintError(error, "LOCKED")) this.#end(error);
        // Anything else may pass before the lease ends.
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
      // The answer to an earlier write of ours was lost.
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
    if (found !== "same") this.#seen = { tag: found.tag, bytes: found.bytes, lease: parseLease(found.bytes) };
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
    // A clock may stand still while a machine sleeps, and another may be set: whichever comes first counts.
    const byBucketMs = held.expiresMs - this.#bucketNow();
    const byElapsedMs = held.renewedElapsedMs + this.#leaseMs - this.#clock.elapsed();
    if (Math.min(byBucketMs, byElapsedMs) <= this.#marginMs) this.#end(expired(this.#bucket.address));
  }

  /** It is not ours any more. @param why undefined: it was given back */
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

function nameOf({ pid, host, since }: LeaseHolder): string {
  return `process ${pid} on ${host} since ${since}`;
}

function heldBy(address: string, holder: LeaseHolder): OffprintError {
  return new OffprintError("LOCKED", `${address} is written by ${nameOf(holder)}.`, {
    hint: "Wait until that run has ended; `offprint watch` writes for as long as it runs. The lease of a process that is gone ends by itself.",
  });
}

function takenOver(address: string, holder: LeaseHolder | undefined): OffprintError {
  const by = holder === undefined ? "was removed or replaced" : `was taken over by ${nameOf(holder)}`;
  return new OffprintError("LOCKED", `The lease of ${address} ${by}; nothing more is written from here.`, {
    hint: "This run was paused for too long, or the bucket was changed by something else. Run it again.",
  });
}

function expired(address: string): OffprintError {
  return new OffprintError("LOCKED", `The lease of ${address} has ended before it could be renewed.`, {
    hint: "This run was paused, or the bucket could not be reached for too long. Run it again.",
  });
}

function notHeld(address: string): OffprintError {
  return new OffprintError("LOCKED", `${address} is not written without its lease.`, {
    hint: "Run `offprint sync`, which takes it.",
  });
}

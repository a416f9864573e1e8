import { contentHash } from "../../lib/content-hash.js";
import { OffprintError } from "../../lib/errors.js";
import type { BucketUpload } from "./bucket.js";
import type { Spool } from "./object-cache.js";
import { PendingWrites } from "./pending-writes.js";
import type { SeenObjects } from "./seen-objects.js";
import type { SharedBucket, SharedPointer } from "./shared-pointer.js";

const writesAtOnce = 16;
/** How often to retry a file that its last writer wins. */
const mostAttempts = 5;

/** Writes to a shared bucket: without the lease, only a consumer's files. */
export class SharedWrites {
  readonly pending = new PendingWrites(writesAtOnce, () => this.#forget());
  readonly #options: SharedBucket;
  readonly #objects: SeenObjects;
  readonly #pointer: SharedPointer;
  /** Objects put under this lease, by hash: earlier ones may have been removed since. */
  readonly #put = new Map<string, string>();

  constructor(options: SharedBucket, objects: SeenObjects, pointer: SharedPointer) {
    this.#options = options;
    this.#objects = objects;
    this.#pointer = pointer;
  }

  /** Forgets an earlier writer's failure, and an earlier lease's objects. */
  async start(isNewLease: boolean): Promise<void> {
    await this.pending.begin();
    if (isNewLease) this.#forget();
  }

  /** Of what was put, after a failure, it is unknown what arrived. */
  #forget(): void {
    this.#put.clear();
    this.#pointer.forgetGenerations();
  }

  /** Resolves once the write has begun. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#assertMayWrite(name);
    this.pending.throwFailure();
    const copy = new Uint8Array(bytes);
    const hash = contentHash(copy);
    if (this.#put.get(name) === hash) return;
    this.#put.set(name, hash);
    await this.pending.start(name, async () => {
      await this.#upload(name, copy);
      if (this.#isCached(name)) await this.#options.cache.put(name, copy);
    });
  }

  /** {@link put} for spooled bytes. @param hash of its bytes */
  async putSpooled(name: string, hash: string, spool: Spool): Promise<void> {
    this.#assertMayWrite(name);
    this.pending.throwFailure();
    if (this.#put.get(name) === hash) return spool.discard();
    this.#put.set(name, hash);
    await this.pending.start(name, async () => {
      try {
        await this.#upload(name, spool);
        if (this.#isCached(name)) await spool.keep(name).catch(() => undefined);
      } finally {
        await spool.discard();
      }
    });
  }

  async remove(name: string): Promise<void> {
    const { bucket, cache } = this.#options;
    this.#assertMayWrite(name);
    this.#put.delete(name);
    await this.pending.start(name, async () => {
      await bucket.remove(name, this.#until(name));
      this.#objects.forget(name);
      this.#pointer.note(name, false);
      if (this.#isCached(name)) await cache.remove(name);
    });
    if (!this.#isCached(name)) await this.pending.all();
  }

  /** Creates a file after all earlier puts. @returns false if it exists */
  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    await this.pending.all();
    let created = false;
    try {
      created = await this.#objects.create(name, bytes, this.#until(name));
    } finally {
      // Also without an answer: only a list tells.
      if (created) this.#pointer.note(name, true);
      else this.#pointer.forgetGenerations();
    }
    return created;
  }

  /** Replaces a file in its last seen state, after all earlier puts. @throws `LOCKED` */
  async replace(name: string, bytes: Uint8Array): Promise<void> {
    await this.pending.all();
    this.#put.delete(name);
    for (let attempt = 1; !(await this.#objects.replace(name, bytes, this.#until(name))); attempt++) {
      if (!this.#options.layout.isUnguarded(name) || attempt === mostAttempts) throw this.#overtaken(name);
    }
    this.#pointer.note(name, true);
  }

  #isCached(name: string): boolean {
    return this.#options.layout.hashOf(name) !== undefined;
  }

  #assertMayWrite(name: string): void {
    if (!this.#options.layout.isUnguarded(name)) this.#options.lease.assertHeld();
  }

  /** The latest time for the write. @throws OffprintError `LOCKED` */
  #until(name: string): { untilMs?: number } {
    return this.#options.layout.isUnguarded(name) ? {} : { untilMs: this.#options.lease.untilMs() };
  }

  async #upload(name: string, content: Uint8Array | BucketUpload): Promise<void> {
    await this.#options.bucket.put(name, content, this.#until(name));
    this.#objects.forget(name);
    this.#pointer.note(name, true);
  }

  #overtaken(name: string): OffprintError {
    const { address } = this.#options.bucket;
    return new OffprintError("LOCKED", `Another process has written ${name} in ${address} since.`, {
      hint: "Run the same command again: it starts from there.",
    });
  }
}

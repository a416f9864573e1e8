import { join, relative } from "node:path";
import type { StoreSetting } from "../config/config.js";
import type { Problem } from "../lib/errors.js";
import {
  cacheFolder,
  leaseFile,
  leaseNoteFile,
  sharedLayout,
  trialFolder,
  trialNoteFile,
  trialResultFile,
} from "./layout.js";
import { FolderLock, folderOptions, forgetStaged } from "./lock-folder.js";
import type { Leadership, OpenOutputOptions, Output, StandByOptions } from "./output.js";
import { stateFrom } from "./state.js";
import { assureBucket, type RememberedNote } from "./store/assure-bucket.js";
import type { Bucket } from "./store/bucket.js";
import { fencedStore } from "./store/fenced-store.js";
import { openFileStore } from "./store/file-store.js";
import { Lease, type LeaseClock, systemLeaseClock, type TakenLease } from "./store/lease.js";
import { parseLeaseNote } from "./store/lease-document.js";
import type { Lock } from "./store/lock.js";
import { ObjectCache } from "./store/object-cache.js";
import { openBucket } from "./store/s3/open-bucket.js";
import { SharedStore } from "./store/shared-store.js";
import type { Store } from "./store/store.js";

interface SharedOutputOptions extends OpenOutputOptions {
  dir: string;
  setting: StoreSetting;
}

/** An output with its snapshot in a shared bucket. A writer has the folder's lock and the bucket's lease. */
export class SharedOutput implements Output {
  readonly dir: string;
  readonly store: Store;
  readonly #options: SharedOutputOptions;
  readonly #bucket: Bucket;
  readonly #cacheDir: string;
  readonly #lease: Lease;
  readonly #local: Store;
  readonly #shared: SharedStore;
  readonly #folder: FolderLock;
  /** Keeps the lease when a lock is released. */
  #keeps = false;
  #isAssured = false;
  /** The folder's last lease, as noted by this process. */
  #nonce: string | undefined;
  /** A new lease that no writer has used yet. */
  #taken: TakenLease | undefined;

  constructor(options: SharedOutputOptions) {
    const { dir, setting, onNote } = options;
    const clock: LeaseClock = options.clock ?? systemLeaseClock;
    const cacheDir = setting.cacheDir ?? join(dir, cacheFolder);
    this.dir = dir;
    this.#folder = new FolderLock(dir);
    this.#options = options;
    this.#cacheDir = cacheDir;
    this.#bucket = options.bucket ?? openBucket(setting, { env: options.env ?? process.env });
    this.#lease = new Lease(this.#bucket, { name: leaseFile, leaseMs: setting.leaseMs, clock });
    this.#local = openFileStore(dir, folderOptions);
    this.#shared = new SharedStore({
      bucket: this.#bucket,
      lease: this.#lease,
      layout: sharedLayout,
      local: this.#local,
      cache: new ObjectCache(cacheDir, {
        maxBytes: setting.cacheBytes,
        onFailure: (error) => onNote?.(cacheProblem(cacheDir, error)),
      }),
      cacheFolder: relative(dir, cacheDir).replaceAll("\\", "/"),
    });
    this.store = fencedStore(this.#shared, () => this.#folder.assertHeld());
  }

  async lock(): Promise<Lock> {
    const lock = await this.#folder.take();
    try {
      await this.#takeLease();
    } catch (error) {
      await lock.release();
      throw error;
    }
    return {
      owner: lock.owner,
      assertHeld: async () => {
        await lock.assertHeld();
        this.#lease.assertHeld();
      },
      release: async () => {
        try {
          await this.#shared.endWriting();
          if (!this.#keeps) await this.#lease.release();
        } finally {
          await lock.release();
        }
      },
    };
  }

  tidy(): Promise<void> {
    return this.#folder.tidy();
  }

  async standBy(options: StandByOptions): Promise<Leadership> {
    let isNew = false;
    while (!this.#lease.isHeld) {
      await this.#assure();
      this.#taken = await this.#lease.acquireInTime(await this.#notedNonce(), {
        ...options,
        onState: (state) => options.onState?.(stateFrom(state ?? {})),
      });
      isNew = true;
    }
    this.#keeps = true;
    return { isNew, lost: this.#lease.lost ?? AbortSignal.abort() };
  }

  tellConfirmed(atMs: number): void {
    this.#lease.tellConfirmed(atMs);
  }

  async close(): Promise<void> {
    this.#keeps = false;
    await this.#lease.release();
  }

  async #takeLease(): Promise<void> {
    if (!this.#lease.isHeld) {
      this.#keeps = false;
      await this.#assure();
      this.#taken = await this.#lease.acquire(await this.#notedNonce());
    }
    const taken = this.#taken;
    if (taken !== undefined) await this.#noteTaken(taken);
    else await this.#noteStillHeld();
    await this.#shared.startWriting(taken !== undefined);
    this.#taken = undefined;
  }

  /** This folder's staged work is void once another folder has written, or this one elsewhere. */
  async #noteTaken({ nonce, before }: TakenLease): Promise<void> {
    if (before === undefined || before !== (await this.#notedNonce())) await forgetStaged(this.#local);
    await this.#note(nonce);
  }

  /** Despite a kept lease, a sync without it or into another bucket may have staged work here. */
  async #noteStillHeld(): Promise<void> {
    const nonce = this.#nonce;
    if (nonce === undefined || nonce === (await this.#notedNonce())) return;
    await forgetStaged(this.#local);
    await this.#note(nonce);
  }

  async #note(nonce: string): Promise<void> {
    const note = { address: this.#bucket.address, nonce };
    await this.#local.replace(leaseNoteFile, Buffer.from(`${JSON.stringify(note)}\n`));
    this.#nonce = nonce;
  }

  async #notedNonce(): Promise<string | undefined> {
    const note = parseLeaseNote(await this.#local.get(leaseNoteFile));
    return note?.address === this.#bucket.address ? note.nonce : undefined;
  }

  async #assure(): Promise<void> {
    if (this.#isAssured) return;
    const { assure, setting } = this.#options;
    if (assure !== undefined) await assure(this.#bucket);
    else
      await assureBucket(this.#bucket, {
        singleWriter: setting.singleWriter,
        remembered: trialNote(this.#cacheDir),
        trial: { folder: trialFolder },
        noteFile: trialResultFile,
      });
    this.#isAssured = true;
  }
}

function trialNote(cacheDir: string): RememberedNote {
  const files = openFileStore(cacheDir, { rebuildable: true });
  return {
    get: async () => Buffer.from((await files.get(trialNoteFile)) ?? []).toString(),
    put: (note) => files.replace(trialNoteFile, Buffer.from(note)),
  };
}

function cacheProblem(cacheDir: string, error: unknown): Problem {
  return {
    code: "CACHE_UNUSABLE",
    message: `The cache ${cacheDir} cannot keep more files: ${error instanceof Error ? error.message : String(error)}`,
    hint: "Free some space, or set output.s3.cache.dir to another folder. Until then, every read goes to the store.",
  };
}

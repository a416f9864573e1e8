import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreSetting } from "../../src/config/config.js";
import type { TransportRequest, TransportResponse } from "../../src/lib/http/transport.js";
import { cacheFolder, generationOf, leaseFile, manifestFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import type { Output } from "../../src/snapshot/output.js";
import type { Bucket } from "../../src/snapshot/store/bucket.js";
import type { LeaseClock } from "../../src/snapshot/store/lease.js";
import { openBucket } from "../../src/snapshot/store/s3/open-bucket.js";
import type { Store } from "../../src/snapshot/store/store.js";
import { BucketProcess, type ProcessRequest, refusal, transportOf } from "./bucket-process.js";
import type { BucketServer } from "./bucket-server.js";
import { planTrouble } from "./bucket-trouble.js";
import type { HistoryStorage, OpenStorage, StorageWorld } from "./history-storage.js";
import { ProcessClock } from "./process-clock.js";

/** A bug between the shared store and the storage. */
export interface StorageBug {
  bucket?(bucket: Bucket): Bucket;
  clock?(clock: LeaseClock): LeaseClock;
  store?(store: Store, cacheDir: string): Store;
}

/** A machine that may sync: a folder with a cache, a clock, and its last process. */
interface Machine {
  name: string;
  dir: string;
  skewMs: number;
  living: { process: BucketProcess; output: Output } | undefined;
}

/** The lease in the bucket. */
interface WrittenLease {
  process: BucketProcess;
  isFree: boolean;
  expiresMs: number;
}

const leaseMs = 60_000;
/** Longest time from the end of a lease to its takeover, in milliseconds. */
const takenOverMs = 2_000;

/** A snapshot in a bucket that machines share: processes of any of them sync, end, are stopped, and meet bad answers. */
export function bucketStorage(server: BucketServer, bug: StorageBug = {}): OpenStorage {
  return async (world) => {
    const folder = await mkdtemp(join(tmpdir(), "offprint-history-"));
    return new BucketStorage(server, world, folder, bug);
  };
}

class BucketStorage implements HistoryStorage {
  readonly #server: BucketServer;
  readonly #world: StorageWorld;
  readonly #folder: string;
  readonly #bug: StorageBug;
  readonly #at: ReturnType<BucketServer["place"]>;
  readonly #random;
  readonly #machines: Machine[] = [];
  /** The process that syncs, and those that sync while it is stopped. */
  readonly #running: BucketProcess[] = [];
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #late: { what: string; inRequests: number; deliver(): Promise<TransportResponse | undefined> }[] = [];
  /**
   * Some storage accepts an old signature for a while: a stopped process may write one object late.
   */
  readonly #refusesLate: boolean;
  /** The storage's time; undefined: that of the model. */
  #storageMs: number | undefined;
  readonly #generations = new Map<string, string>();
  #lease: WrittenLease | undefined;
  #pointed: number | undefined;
  #violation: [property: string, what: string] | undefined;
  #isCalm = false;
  #folders = 0;
  #processes = 0;

  constructor(server: BucketServer, world: StorageWorld, folder: string, bug: StorageBug) {
    this.#server = server;
    this.#world = world;
    this.#folder = folder;
    this.#bug = bug;
    this.#at = server.place(() => this.#storageMs ?? world.space.nowMs);
    this.#random = world.random.stream("bucket");
    this.#refusesLate = this.#random.chance(0.6);
  }

  get writes(): readonly string[] {
    return this.#process?.writes ?? [];
  }

  get crashed(): boolean {
    return this.#process?.isGone === true;
  }

  explains(code: string): boolean {
    const process = this.#process;
    return (
      (code === "LOCKED" && process?.mayBeLocked === true) ||
      (code === "STORE_UNREACHABLE" && process?.wasCutOff === true)
    );
  }

  async begin(): Promise<Output> {
    const trouble = this.#isCalm ? undefined : planTrouble(this.#random);
    const { process, output } = await this.#start(trouble, undefined);
    this.#running.splice(0, this.#running.length, process);
    return output;
  }

  async end(): Promise<void> {
    const ended = this.#process;
    await this.#settle();
    if (ended?.isGone)
      for (const machine of this.#machines) if (machine.living?.process === ended) machine.living = undefined;
    this.#tell();
  }

  async readers(): Promise<Store[]> {
    const none: Machine = {
      name: "reader",
      dir: join(this.#folder, `reader-${++this.#folders}`),
      skewMs: 0,
      living: undefined,
    };
    const stores = [this.#open(none).output.store];
    const known = this.#machines.length > 0 && this.#random.chance(0.3) ? this.#random.pick(this.#machines) : undefined;
    if (known !== undefined) {
      await this.#tamper(known);
      stores.push(this.#open(known).output.store);
    }
    return stores;
  }

  get pointed(): number | undefined {
    return this.#pointed;
  }

  get isOvertaken(): boolean {
    return this.#process?.isOvertaken === true;
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5_000) {
      this.#world.space.advance(Math.min(left, 5_000));
      await this.#process?.tick();
    }
  }

  wake(): void {
    this.#process?.clock.wake();
  }

  async calm(): Promise<void> {
    this.#isCalm = true;
    for (const { deliver } of this.#late.splice(0)) await deliver();
    if (this.#lease !== undefined && !this.#lease.isFree) {
      this.#world.space.advance(Math.max(0, this.#lease.expiresMs + takenOverMs - this.#world.space.nowMs));
    }
    this.#tell();
  }

  async close(): Promise<void> {
    await this.#settle();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #process(): BucketProcess | undefined {
    return this.#running.at(-1);
  }

  /** A process of a machine: the last one, another one with its knowledge, or a new one. */
  async #start(
    trouble: ReturnType<typeof planTrouble>,
    notOn: Machine | undefined,
  ): Promise<{ process: BucketProcess; output: Output; machine: Machine }> {
    const random = this.#random;
    const others = this.#machines.filter((machine) => machine !== notOn);
    const isNew = others.length === 0 || random.chance(0.15);
    const machine = isNew
      ? this.#newMachine()
      : others.length > 1 && random.chance(0.4)
        ? random.pick(others)
        : others.at(-1)!;
    if (!isNew && random.chance(0.2)) await this.#tamper(machine);
    if (!isNew) this.#machines.push(...this.#machines.splice(this.#machines.indexOf(machine), 1));
    const stays = machine.living !== undefined && random.chance(0.5);
    const opened = stays ? machine.living! : this.#open(machine);
    machine.living = opened;
    opened.process.begin(trouble);
    opened.process.mayBeLocked = this.#isTaken(opened.process);
    this.#world.note(
      `${opened.process.name} syncs${trouble ? `, ${trouble.kind} at ${trouble.at} ${trouble.count}` : ""}`,
    );
    return { ...opened, machine };
  }

  #newMachine(): Machine {
    const skewMs = this.#random.pick([0, 0, 0, 90_000, -90_000, 3_600_000]);
    const number = ++this.#folders;
    const machine: Machine = {
      name: `machine ${number}`,
      dir: join(this.#folder, `machine-${number}`),
      skewMs,
      living: undefined,
    };
    this.#machines.push(machine);
    return machine;
  }

  /** True if another process has the lease, or had it and is gone. */
  #isTaken(process: BucketProcess): boolean {
    const lease = this.#lease;
    if (lease === undefined || lease.isFree || lease.process === process) return false;
    return lease.expiresMs + takenOverMs > this.#world.space.nowMs;
  }

  #open(machine: Machine): { process: BucketProcess; output: Output } {
    const { space } = this.#world;
    const clock = new ProcessClock(() => space.nowMs, machine.skewMs);
    const process: BucketProcess = new BucketProcess(`process ${++this.#processes} on ${machine.name}`, clock, {
      deliver: (request, url, sent) => this.#deliver(process, request, url, sent),
      deliverLater: (request, url, sent) => {
        const deliver = () => this.#deliver(process, request, url, sent).catch(() => undefined);
        this.#late.push({ what: `${request.method} ${request.name}`, inRequests: this.#random.int(1, 40), deliver });
      },
      stop: () => this.#stop(process, machine),
      // Nothing arrives between two readers that are compared.
      beforeRequest: async () => {
        if (this.#running.includes(process)) await this.#deliverDue();
      },
      nameOf: (url) => this.#nameOf(url),
      met: (trouble, where) => this.#met(trouble, where),
    });
    const { bucket: at, prefix } = this.#at;
    const setting: StoreSetting = {
      bucket: at.bucket,
      endpoint: at.endpoint,
      region: at.region,
      prefix,
      singleWriter: false,
      leaseMs,
      cacheBytes: 1e9,
    };
    const env = { AWS_ACCESS_KEY_ID: at.accessKeyId, AWS_SECRET_ACCESS_KEY: at.secretAccessKey, HOME: "/nowhere" };
    const isTimed = this.#server.hasModelTime;
    const real = openBucket(setting, {
      env,
      transport: transportOf(process),
      now: () => (isTimed ? clock.now() : Date.now() + machine.skewMs),
      sleep: async (ms) => space.advance(Math.round(ms)),
      random: this.#random.stream(`retries ${machine.name}`).next,
    });
    const timed = isTimed ? real : this.#inModelTime(real, process);
    const { bucket = same, clock: clockOf = same, store: storeOf = (store) => store } = this.#bug;
    const output = openOutput(
      { dir: machine.dir, store: setting },
      { bucket: bucket(timed), clock: clockOf(clock), assure: async () => undefined },
    );
    const store = storeOf(output.store, join(machine.dir, cacheFolder));
    if (store !== output.store) Object.assign(output, { store });
    return { process, output };
  }

  /**
   * A bucket whose storage has this machine's time. {@link #deliver} refuses instead what it would
   * refuse by the model's time.
   */
  #inModelTime(real: Bucket, process: BucketProcess): Bucket {
    const { space } = this.#world;
    const aheadMs = () => Date.now() - space.nowMs;
    const until = (name: string, untilMs: number | undefined) => {
      if (untilMs !== undefined) process.untilMs.set(name, untilMs);
      return untilMs === undefined ? {} : { untilMs: untilMs + aheadMs() };
    };
    return {
      get address() {
        return real.address;
      },
      get skewMs() {
        return real.skewMs;
      },
      get: (name, known) => real.get(name, known),
      read: (name) => real.read(name),
      put: (name, content, { condition, untilMs } = {}) =>
        real.put(name, content, { ...(condition && { condition }), ...until(name, untilMs) }),
      remove: (name, { untilMs } = {}) => real.remove(name, until(name, untilMs)),
      list: async (beginning) =>
        (await real.list(beginning)).map((entry) => ({ ...entry, modifiedMs: entry.modifiedMs - aheadMs() })),
    };
  }

  async #deliver(
    process: BucketProcess,
    request: ProcessRequest,
    url: URL,
    sent: TransportRequest,
  ): Promise<TransportResponse> {
    const { nowMs } = this.#world.space;
    const isWrite = request.method !== "GET";
    const untilMs = process.untilMs.get(request.name) ?? Number.POSITIVE_INFINITY;
    const isTakenLate = !this.#refusesLate && request.method === "PUT" && nowMs > request.sentMs;
    if (isWrite && !isTakenLate && !this.#server.hasModelTime && nowMs > untilMs)
      return refusal(403, "AccessDenied", "Request has expired");
    if (isTakenLate) this.#storageMs = request.sentMs;
    const answered = this.#server.transport.request(url, sent);
    this.#inFlight.add(answered);
    try {
      const answer = await answered;
      if (isWrite && answer.status < 300) this.#accepted(process, request, isTakenLate);
      return answer;
    } finally {
      if (isTakenLate) this.#storageMs = undefined;
      this.#inFlight.delete(answered);
    }
  }

  /** A write has taken effect: checks it against the rules of who may write what. */
  #accepted(process: BucketProcess, { method, name, body }: ProcessRequest, isTakenLate: boolean): void {
    process.writes.push(`${method} ${name}`);
    this.#world.note(`${process.name}: ${method} ${name}`);
    if (name === leaseFile) {
      const { free, expiresMs } = JSON.parse(Buffer.from(body ?? []).toString());
      if (
        this.#lease !== undefined &&
        this.#lease.process !== process &&
        this.#isTaken(process) &&
        this.#lease.expiresMs > this.#world.space.nowMs
      )
        this.#violate("a lease is taken when it has ended", `of ${new Date(this.#lease.expiresMs).toISOString()}`);
      this.#lease = { process, isFree: free, expiresMs };
      this.#world.note(`${process.name} ${free ? "gives the lease back" : `has the lease until ${expiresMs}`}`);
      return;
    }
    if (this.#lease?.process !== process || this.#lease.isFree) {
      if (!isTakenLate) this.#violate("who writes has the lease", `${method} ${name}`);
      // A running process may meet it, and then stops.
      else for (const running of this.#running) running.mayBeLocked = true;
    }
    if (method !== "PUT" || body === undefined) return;
    if (name === manifestFile) this.#notePointer(body);
    if (generationOf(name) !== undefined) this.#noteGeneration(name, body);
  }

  #notePointer(body: Uint8Array): void {
    const { generation } = JSON.parse(Buffer.from(body).toString());
    if (this.#pointed !== undefined && generation < this.#pointed)
      this.#violate("the pointer never goes back", `from ${this.#pointed} to ${generation}`);
    this.#pointed = generation;
  }

  #noteGeneration(name: string, body: Uint8Array): void {
    const hash = createHash("sha256").update(body).digest("hex");
    const known = this.#generations.get(name);
    if (known !== undefined && known !== hash) this.#violate("a generation is committed once", name);
    this.#generations.set(name, hash);
  }

  #violate(property: string, what: string): void {
    this.#violation ??= [property, what];
  }

  #tell(): void {
    if (this.#violation !== undefined) this.#world.violated(...this.#violation);
  }

  #met(what: string, where: string): void {
    const { met } = this.#server;
    met.set(what, (met.get(what) ?? 0) + 1);
    this.#world.note(`${what} ${where}`);
  }

  async #deliverDue(): Promise<void> {
    for (const late of [...this.#late]) {
      if (late.inRequests-- > 0) continue;
      this.#late.splice(this.#late.indexOf(late), 1);
      const answer = await late.deliver();
      this.#met(`arrives of a process that is gone, answered ${answer?.status ?? "with an error"}`, late.what);
    }
  }

  /** Time passes while a process is stopped; another machine may sync. */
  async #stop(process: BucketProcess, machine: Machine): Promise<void> {
    const random = this.#random;
    const { space } = this.#world;
    await this.#settle();
    space.advance(random.pick([3_000, 30_000, 65_000, 65_000, 65_000, 600_000]));
    if (random.chance(0.7)) this.#world.edit();
    if (process !== this.#process || !random.chance(0.7)) return;
    const other = await this.#start(undefined, machine);
    const before = this.#pointed;
    this.#running.push(other.process);
    try {
      await this.#world.syncElsewhere(other.output);
    } finally {
      this.#running.pop();
    }
    if (this.#pointed !== before) {
      process.isOvertaken = true;
      this.#met("another process commits meanwhile", "");
    }
    if (random.chance(0.3)) space.advance(random.int(1_000, 70_000));
  }

  async #tamper(machine: Machine): Promise<void> {
    const folder = join(machine.dir, cacheFolder, "snapshot");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    if (files.length === 0) return;
    const file = this.#random.pick(files);
    const bytes = await readFile(file);
    bytes[this.#random.int(0, bytes.length - 1)]! ^= 1;
    await writeFile(file, this.#random.chance(0.5) ? bytes : bytes.subarray(0, bytes.length / 2));
  }

  async #settle(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  #nameOf(url: URL): string {
    const { bucket, prefix } = this.#at;
    const path = decodeURIComponent(url.pathname);
    return path.startsWith(`/${bucket.bucket}/${prefix}/`) ? path.slice(bucket.bucket.length + prefix.length + 3) : "";
  }
}

function same<T>(value: T): T {
  return value;
}

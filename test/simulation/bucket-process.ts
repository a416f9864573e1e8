import type { Transport, TransportRequest, TransportResponse } from "../../src/lib/http/transport.js";
import { UpstreamError } from "../../src/lib/http/upstream-error.js";
import { generationsFolder, leaseFile, manifestFile } from "../../src/snapshot/layout.js";
import { type RequestKind, requestKind, type Trouble } from "./bucket-trouble.js";
import type { ProcessClock } from "./process-clock.js";

/** A request of a process, by the name of its object after the prefix; a list has none. */
export interface ProcessRequest {
  method: string;
  name: string;
  body: Uint8Array | undefined;
  sentMs: number;
}

/** The storage around a process. */
export interface ProcessWorld {
  /** Sends a request, and notes its effect. */
  deliver(request: ProcessRequest, url: URL, sent: TransportRequest): Promise<TransportResponse>;
  /** Keeps a request for later; nothing waits for its answer. */
  deliverLater(request: ProcessRequest, url: URL, sent: TransportRequest): void;
  /** Stops the process for some time. */
  stop(): Promise<void>;
  /** Called before each request. */
  beforeRequest(): Promise<void>;
  nameOf(url: URL): string;
  met(trouble: string, where: string): void;
}

/** The requests of one process to a bucket. One of them may fail. */
export class BucketProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly #world: ProcessWorld;
  /** Whether it may find that another one writes. */
  mayBeLocked = false;
  isGone = false;
  /** True if another process has committed since this one began. */
  isOvertaken = false;
  wasCutOff = false;
  /** Model time until which the storage may accept a write, by name. */
  readonly untilMs = new Map<string, number>();
  /** The names that were written with success since the last {@link begin}. */
  readonly writes: string[] = [];
  #trouble: Trouble | undefined;
  #counts = new Map<RequestKind, number>();
  #unreachable: { key: string; tries: number } | undefined;
  #resumed: Promise<void> | undefined;

  constructor(name: string, clock: ProcessClock, world: ProcessWorld) {
    this.name = name;
    this.clock = clock;
    this.#world = world;
  }

  /** Begins a sync. */
  begin(trouble: Trouble | undefined): void {
    this.#trouble = trouble;
    this.#counts = new Map();
    this.writes.length = 0;
    this.wasCutOff = false;
    this.isOvertaken = false;
  }

  /** Wakes sleepers, and waits until nothing is left to do at this time. */
  async tick(): Promise<void> {
    this.clock.wake();
    while (!this.clock.isQuiet && !this.isGone) await new Promise((resolve) => setImmediate(resolve));
  }

  async send(url: URL, sent: TransportRequest): Promise<TransportResponse> {
    // Already signed.
    const sentMs = this.clock.elapsed();
    await this.#resumed;
    if (this.isGone) throw new ProcessGone();
    if (this.clock.isQuiet) await this.tick();
    await this.#world.beforeRequest();
    const name = this.#world.nameOf(url);
    const body = sent.body instanceof Uint8Array ? sent.body : undefined;
    const request = { method: sent.method ?? "GET", name, body, sentMs };
    const trouble = this.#troubleAt(request);
    if (trouble !== undefined) this.#world.met(trouble, `${request.method} ${name}`);
    const key = `${request.method} ${name}`;
    if (trouble === "unreachable") this.#unreachable = { key, tries: 6 };
    if (this.#unreachable?.key === key && this.#unreachable.tries-- > 0) {
      this.wasCutOff = true;
      throw connectionBroke();
    }
    if (this.isGone) throw new ProcessGone();
    return this.#through(trouble, request, url, sent);
  }

  async #through(
    trouble: Trouble["kind"] | undefined,
    request: ProcessRequest,
    url: URL,
    sent: TransportRequest,
  ): Promise<TransportResponse> {
    const deliver = () => this.#world.deliver(request, url, sent);
    if (trouble === "503") return refusal(503, "SlowDown");
    if (trouble === "409") return refusal(409, "ConditionalRequestConflict");
    if (trouble === "killed before" || trouble === "killed, the request arrives later") {
      this.isGone = true;
      if (trouble !== "killed before") this.#world.deliverLater(request, url, sent);
      throw new ProcessGone();
    }
    if (trouble === "stopped") {
      this.#resumed = this.#stop();
      await this.#resumed;
      this.#resumed = undefined;
    }
    const answer = await deliver();
    if (trouble === "killed after") this.isGone = true;
    if (this.isGone) throw new ProcessGone();
    if (trouble === "answer lost") throw connectionBroke();
    return trouble === "503 after" ? refusal(503, "SlowDown") : answer;
  }

  async #stop(): Promise<void> {
    this.clock.isStopped = true;
    this.mayBeLocked = true;
    await this.#world.stop();
    this.clock.isStopped = false;
    this.clock.wake();
  }

  #troubleAt({ method, name }: ProcessRequest): Trouble["kind"] | undefined {
    const files = { lease: leaseFile, pointer: manifestFile, generations: generationsFolder };
    const kind = requestKind(method, name, files);
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const trouble = this.#trouble;
    if (trouble?.at !== kind || trouble.count !== count) return undefined;
    if (trouble.kind === "409" && (method === "GET" || name === leaseFile)) return undefined;
    return trouble.kind;
  }
}

export function transportOf(process: BucketProcess): Transport {
  return {
    request: (url, request) => process.send(url, request),
    download: () => Promise.reject(new Error("nothing is downloaded from a bucket")),
    close: async () => undefined,
  };
}

/** The process is gone: nothing it does has an effect. */
class ProcessGone extends Error {
  constructor() {
    super("the process is gone");
  }
}

function connectionBroke(): UpstreamError {
  return new UpstreamError("UPSTREAM_UNREACHABLE", "the connection broke", { retriable: true });
}

export function refusal(status: number, code: string, message = code): TransportResponse {
  const body = Buffer.from(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
  return { status, headers: {}, dateMs: null, wireBytes: body.length, pieces: [body], body };
}

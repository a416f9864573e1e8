import type { StoreSetting } from "../../../config/config.js";
import { OffprintError } from "../../../lib/errors.js";
import type { BucketObject, BucketUpload, BucketWrite, WriteOutcome } from "../bucket.js";
import { piecesOf } from "../byte-ranges.js";
import type { StoreEntry } from "../store.js";
import type { TriableBucket, TrialAnswer, TrialRequest } from "../store-trial.js";
import { readListPage } from "./read-xml.js";
import { badAnswer, type S3Answer, S3Connection, type S3Options } from "./s3-connection.js";

const rangeBytes = 8 * 1024 * 1024;
/** AWS's limit for one request, in bytes. */
const mostUploadBytes = 5 * 1024 ** 3;
const mostConflicts = 8;
/** Pauses grow up to this try: another write takes moments, not minutes. */
const longestPause = 3;

/** Sends nothing before the first use. Idle sockets do not keep the process alive. */
export function openBucket(setting: StoreSetting, options: S3Options): TriableBucket {
  return new S3Bucket(setting, new S3Connection(setting, options));
}

type ObjectRequest = Omit<Parameters<S3Connection["send"]>[0], "method" | "key" | "name" | "action">;

class S3Bucket implements TriableBucket {
  readonly #prefix: string;
  readonly #connection: S3Connection;
  /** How `If-Match` writes tags: unquoted for Ceph before 18. Known once a condition was met. */
  #tagForm: "quoted" | "unquoted" | undefined;

  constructor(setting: StoreSetting, connection: S3Connection) {
    this.#prefix = setting.prefix === "" ? "" : `${setting.prefix}/`;
    this.#connection = connection;
  }

  get address(): string {
    return this.#connection.address;
  }

  get skewMs(): number {
    return this.#connection.skewMs;
  }

  origin(): Promise<string> {
    return this.#connection.origin();
  }

  storageMs(): number {
    return this.#connection.nowMs;
  }

  async tryOnce({ name, method, ...request }: TrialRequest): Promise<TrialAnswer> {
    const action = method === "GET" ? "s3:GetObject" : "s3:PutObject";
    const key = `${this.#prefix}${name}`;
    const { status, failure } = await this.#connection.sendOnce({ ...request, method, key, name, action });
    return { status, code: failure?.code ?? "" };
  }

  async get(name: string, known?: string, mostBytes?: number): Promise<BucketObject | "same" | undefined> {
    const headers = known === undefined ? {} : { "if-none-match": `"${known}"` };
    const answer = await this.#object("GET", name, { headers, accepts: [304, 404], mostBytes });
    if (answer.status === 304) return "same";
    if (this.#isAbsent(answer, name)) return undefined;
    return { bytes: answer.body, tag: this.#tagOf(answer, name) };
  }

  async read(name: string, mostBytes?: number): ReturnType<TriableBucket["read"]> {
    const first = await this.#object("GET", name, {
      headers: { range: `bytes=0-${rangeBytes - 1}` },
      accepts: [404, 416],
      // Storage without ranges sends the whole object.
      mostBytes: mostBytes && Math.max(mostBytes, rangeBytes),
    });
    if (first.status === 416) return { size: 0, pieces: piecesOf(first.body, { start: 0, end: 0 }) };
    if (this.#isAbsent(first, name)) return undefined;
    const size = first.status === 206 ? sizeOf(first.headers["content-range"]) : first.body.byteLength;
    if (size === undefined) throw badAnswer(this.address, `answered a range of ${name} without its size`);
    return { size, pieces: this.#rest(name, first, size) };
  }

  async put(name: string, content: Uint8Array | BucketUpload, write: BucketWrite = {}): Promise<WriteOutcome> {
    const { condition, untilMs } = write;
    if (!(content instanceof Uint8Array) && content.size > mostUploadBytes) throw tooLarge(this.address, name);
    let isRepeated = false;
    for (;;) {
      const answer = await this.#settled("PUT", name, {
        headers: this.#conditionHeaders(condition),
        body: content,
        untilMs,
        accepts: condition === undefined ? [] : [404, 412],
      });
      isRepeated ||= answer.isRepeated;
      if (answer.status < 300) {
        if (condition !== undefined && "tag" in condition) this.#tagForm ??= "quoted";
        return { written: true, tag: this.#tagOf(answer, name) };
      }
      this.#isAbsent(answer, name);
      const own = await this.#meetsItself(name, content, isRepeated, write);
      if (own !== "again") return own;
    }
  }

  async remove(name: string, { untilMs }: Pick<BucketWrite, "untilMs"> = {}): Promise<void> {
    const answer = await this.#settled("DELETE", name, { untilMs, accepts: [404] });
    this.#isAbsent(answer, name);
  }

  /** The answer to a write, sent again while it conflicts with another one. */
  async #settled(method: "PUT" | "DELETE", name: string, more: ObjectRequest): Promise<S3Answer> {
    let isRepeated = false;
    for (let conflicts = 0; ; conflicts++) {
      const answer = await this.#object(method, name, { ...more, accepts: [409, ...(more.accepts ?? [])] });
      isRepeated ||= answer.isRepeated;
      if (answer.status !== 409) return { ...answer, isRepeated };
      if (conflicts === mostConflicts) throw conflictError(this.address, name);
      await this.#connection.pause(Math.min(conflicts + 1, longestPause), answer);
    }
  }

  async list(beginning: string): Promise<StoreEntry[]> {
    const found: StoreEntry[] = [];
    const prefix = `${this.#prefix}${beginning}`;
    const tokens = new Set<string>();
    for (let token: string | undefined; ; ) {
      const answer = await this.#connection.send({
        method: "GET",
        action: "s3:ListBucket",
        query: { "list-type": "2", "encoding-type": "url", prefix, ...(token && { "continuation-token": token }) },
      });
      const page = readListPage(answer.body);
      if (page === undefined) throw badAnswer(this.address, "answered a list with something else");
      for (const { key, ...rest } of page.objects) {
        if (!key.startsWith(prefix)) throw badAnswer(this.address, "listed objects outside of the prefix");
        found.push({ name: key.slice(this.#prefix.length), ...rest });
      }
      token = page.next;
      if (token === undefined) break;
      if (tokens.has(token)) throw badAnswer(this.address, "listed the same page again and again");
      tokens.add(token);
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  #object(method: "GET" | "PUT" | "DELETE", name: string, more: ObjectRequest): Promise<S3Answer> {
    const action = { GET: "s3:GetObject", PUT: "s3:PutObject", DELETE: "s3:DeleteObject" }[method];
    return this.#connection.send({ method, key: `${this.#prefix}${name}`, name, action, ...more });
  }

  /** Proxies and wrong addresses answer 404, too. @throws `STORE_MISSING` (the bucket), `STORE_BAD_ANSWER` */
  #isAbsent({ status, failure }: S3Answer, name: string): boolean {
    if (status !== 404) return false;
    if (failure?.code === "NoSuchKey") return true;
    if (failure?.code === "NoSuchBucket") throw missingBucket(this.address);
    throw badAnswer(
      this.address,
      `answered ${name} with 404, but not as a missing object (${failure?.code || "not an S3 error document"})`,
    );
  }

  #conditionHeaders(condition: BucketWrite["condition"]): Record<string, string> {
    if (condition === undefined) return {};
    if ("absent" in condition) return { "if-none-match": "*" };
    return { "if-match": this.#tagForm === "unquoted" ? condition.tag : `"${condition.tag}"` };
  }

  /** The object may be our own write whose answer was lost; or its tag may match in another form. */
  async #meetsItself(
    name: string,
    content: Uint8Array | BucketUpload,
    isRepeated: boolean,
    { condition }: BucketWrite,
  ): Promise<WriteOutcome | "again"> {
    const isOfTag = condition !== undefined && "tag" in condition;
    const isUnknownForm = isOfTag && this.#tagForm === undefined;
    if (!isRepeated && !isUnknownForm) return { written: false };
    const found = await this.get(name);
    if (found === undefined || found === "same") return { written: false };
    if (isRepeated && (await isSame(found.bytes, content))) return { written: true, tag: found.tag };
    if (isUnknownForm && isOfTag && found.tag === condition.tag) {
      this.#tagForm = "unquoted";
      return "again";
    }
    return { written: false };
  }

  #tagOf({ headers }: S3Answer, name: string): string {
    const tag = headers.etag?.replace(/^W\//, "").replace(/^"(.*)"$/, "$1");
    if (tag) return tag;
    throw badAnswer(this.address, `answered ${name} without an ETag`);
  }

  async *#rest(name: string, first: S3Answer, size: number): AsyncGenerator<Uint8Array, undefined> {
    yield first.body;
    const tag = this.#tagOf(first, name);
    for (let at = first.body.byteLength; at < size; ) {
      const answer = await this.#object("GET", name, {
        headers: { range: `bytes=${at}-${Math.min(size, at + rangeBytes) - 1}` },
        accepts: [404, 416],
        mostBytes: rangeBytes,
      });
      if (answer.status !== 206 || answer.body.byteLength === 0 || this.#tagOf(answer, name) !== tag) {
        throw badAnswer(this.address, `changed ${name} while it was read`);
      }
      at += answer.body.byteLength;
      yield answer.body;
    }
  }
}

async function isSame(bytes: Uint8Array, content: Uint8Array | BucketUpload): Promise<boolean> {
  if (content instanceof Uint8Array) return Buffer.compare(bytes, content) === 0;
  if (bytes.byteLength !== content.size) return false;
  let at = 0;
  for await (const piece of content.open()) {
    if (Buffer.compare(bytes.subarray(at, at + piece.byteLength), piece) !== 0) return false;
    at += piece.byteLength;
  }
  return at === bytes.byteLength;
}

/** `bytes 0-8/10`: 10. */
function sizeOf(contentRange: string | undefined): number | undefined {
  const [, size] = /\/(\d+)$/.exec(contentRange ?? "") ?? [];
  return size === undefined ? undefined : Number(size);
}

function missingBucket(address: string): OffprintError {
  return new OffprintError("STORE_MISSING", `${address}: the bucket does not exist.`, {
    hint: "Create the bucket, or fix output.store. Offprint does not create buckets.",
  });
}

function conflictError(address: string, name: string): OffprintError {
  return new OffprintError("STORE_UNREACHABLE", `${address}: every write of ${name} conflicted with another one.`, {
    hint: "Run the same command again. If it fails again, find out what else writes to this prefix.",
  });
}

function tooLarge(address: string, name: string): OffprintError {
  return new OffprintError("STORE_REFUSED", `${address}: ${name} is larger than 5 GB, which one request cannot send.`, {
    hint: "Lower assets.maxBytes to skip the asset.",
  });
}

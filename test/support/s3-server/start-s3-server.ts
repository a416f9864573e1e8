import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Bucket } from "./bucket.js";
import { deformed, deliver } from "./deliver.js";
import { aws, type Dialect } from "./dialect.js";
import { type Fault, type FaultHandle, type FaultRule, Faults, type RequestFaults } from "./faults.js";
import { checkConditions, type Deviation, type Place, perform } from "./perform.js";
import { RaceGates } from "./race-gates.js";
import { type Answer, errorAnswer, S3Error } from "./s3-error.js";
import { type Operation, parameter, parseRequest, type S3Request } from "./s3-request.js";
import { authenticate, type S3Credentials } from "./signature-v4.js";

/** What a request wants, for a policy to allow or deny. */
export interface Access {
  operation: Operation;
  bucket: string;
  /** Empty for a bucket. */
  key: string;
  /** Of a list; otherwise empty. */
  prefix: string;
  accessKeyId: string;
}

/** A request that the server has got, as tests count it. */
export interface RecordedRequest {
  operation: Operation;
  method: string;
  bucket: string;
  key: string;
  /** Without what belongs to the signature. */
  query: Record<string, string>;
  /** `If-Match`, `If-None-Match` and others as sent, by their names in lower case; `range`, too. */
  conditions: Record<string, string>;
  /** Validity of a query signature, in seconds. */
  expiresS: number | undefined;
  /** The status of its answer; 0 where it got none, undefined as long as it has none. */
  status: number | undefined;
  /** The code of the error that it was answered with. */
  code: string | undefined;
  bytesIn: number;
  bytesOut: number;
  /** The kinds of the faults that hit it. */
  faults: readonly Fault["kind"][];
}

export interface S3ServerOptions {
  /** @defaultValue `eu-central-1` */
  region?: string;
  /** The keys that are known. */
  credentials?: readonly S3Credentials[];
  /** Domains of hosts that name a bucket. */
  domains?: readonly string[];
  /** Time of the server, in milliseconds since the epoch. */
  now?: () => number;
  /** Whose behaviour it has where servers differ. @defaultValue that of Amazon S3 */
  dialect?: Partial<Dialect>;
  /** What a request may do; everything where missing. */
  policy?: (access: Access) => boolean;
}

/** An S3 server in this process, whose buckets are in memory. */
export interface S3Server {
  /** Origin for requests by path, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly region: string;
  /** The first of the keys that are known. */
  readonly credentials: S3Credentials;
  /** Every request that has arrived whole, in this order; live. */
  readonly requests: RecordedRequest[];
  /** Added to the time of the server: its clock is set wrong. In milliseconds. */
  clockOffsetMs: number;
  /** What requests may do from now on. */
  policy: (access: Access) => boolean;
  /** A bucket, empty where it was not there before; its objects can be read and put without a request. */
  bucket(name: string): Bucket;
  /** Sets a fault, for all or some of the requests that follow. */
  fail(fault: Fault, rule?: FaultRule): FaultHandle;
  clearFaults(): void;
  /** Closes the port until the function is called that it returns: connections are refused. */
  refuseConnections(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const exampleCredentials: S3Credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

/** Starts a server on a free loopback port. */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const service = new S3Service(options);
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    service.serve(message, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => server.close(() => done()));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    url: `http://127.0.0.1:${port}`,
    port,
    refuseConnections: async () => {
      await close();
      return () => listen(port);
    },
    close,
  });
}

/** What answers, apart from the port. */
class S3Service {
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly requests: RecordedRequest[] = [];
  clockOffsetMs = 0;
  policy: (access: Access) => boolean;
  readonly #options: S3ServerOptions;
  readonly #dialect: Dialect;
  readonly #known: readonly S3Credentials[];
  readonly #buckets = new Map<string, Bucket>();
  readonly #faults = new Faults();
  readonly #races = new RaceGates();
  #answers = 0;

  constructor(options: S3ServerOptions) {
    this.#options = options;
    this.#dialect = { ...aws, ...options.dialect };
    this.#known = options.credentials ?? [exampleCredentials];
    this.credentials = this.#known[0] ?? exampleCredentials;
    this.region = options.region ?? "eu-central-1";
    this.policy = options.policy ?? (() => true);
  }

  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? new Bucket();
    this.#buckets.set(name, bucket);
    return bucket;
  }

  fail(fault: Fault, rule: FaultRule = {}): FaultHandle {
    return this.#faults.add(fault, rule);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Answers one request. */
  async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(message);
    if (body === undefined) return;
    const { method = "", url = "", rawHeaders } = message;
    let request: S3Request;
    try {
      request = parseRequest(
        { method, url, rawHeaders, body },
        this.#options.domains ?? ["localhost", "s3.amazonaws.com"],
      );
    } catch (error) {
      await this.#send(this.#refusal(error, url), response, { isHead: method === "HEAD", faults: this.#faultless });
      return;
    }
    const faults = this.#faults.of(request);
    const record = recordOf(request, faults);
    this.requests.push(record);
    const answer = faults.has("reset-before")
      ? undefined
      : await this.#answer(request, faults).catch((error) => this.#refusal(error, request.path));
    if (answer === undefined || faults.has("reset-after")) {
      record.status = 0;
      response.socket?.resetAndDestroy();
      return;
    }
    record.status = answer.status;
    record.code = codeOf(answer);
    record.bytesOut = await this.#send(deformed(answer, faults), response, { isHead: method === "HEAD", faults });
  }

  readonly #faultless = new Faults().of({ operation: "NotImplemented" } as S3Request);

  #nowMs(): number {
    return (this.#options.now ?? Date.now)() + this.clockOffsetMs;
  }

  async #answer(request: S3Request, faults: RequestFaults): Promise<Answer> {
    refuseFirst(request, faults);
    const { accessKeyId } = authenticate(request, {
      credentials: this.#known,
      region: this.region,
      nowMs: this.#nowMs(),
      dialect: this.#dialect,
    });
    this.#authorize(request, accessKeyId);
    const isRace = faults.has("race");
    if (isRace) {
      checkConditions(request, this.#place(request, accessKeyId));
      await this.#races.pass(`${request.bucket}/${request.key}`, faults.get("race")?.contenders ?? 1);
    }
    const answer = perform(request, this.#place(request, accessKeyId), this.#deviation(faults, isRace));
    if (faults.has("slow-down-after")) throw new S3Error("SlowDown", "Please reduce your request rate.");
    if (faults.has("internal-error-after")) throw internalError();
    return answer;
  }

  #authorize(request: S3Request, accessKeyId: string): void {
    const { operation, bucket, key } = request;
    const prefix = parameter(request, "prefix") ?? "";
    if (!this.policy({ operation, bucket, key, prefix, accessKeyId }))
      throw new S3Error("AccessDenied", "Access Denied");
  }

  #place({ bucket, key }: S3Request, accessKeyId: string): Place {
    return {
      buckets: this.#buckets,
      region: this.region,
      dialect: this.#dialect,
      nowMs: this.#nowMs(),
      maySeeAbsence: this.policy({ operation: "ListObjectsV2", bucket, key: "", prefix: key, accessKeyId }),
    };
  }

  #deviation(faults: RequestFaults, isChecked: boolean): Deviation {
    return {
      checksConditions: !isChecked && !faults.has("ignore-conditions"),
      list: {
        asOfMs: this.#nowMs() - (faults.get("stale-list")?.ms ?? 0),
        isEndless: faults.has("endless-list"),
        foreignKeys: faults.get("foreign-keys")?.keys ?? [],
        encoding: this.#dialect.listEncoding,
      },
    };
  }

  #refusal(error: unknown, resource: string): Answer {
    const told = error instanceof S3Error ? error : new S3Error("InternalError", String(error));
    return errorAnswer(told, resource, this.#requestId());
  }

  #requestId(): string {
    return `REQUEST${String(this.#answers).padStart(9, "0")}`;
  }

  #send(answer: Answer, response: ServerResponse, how: { isHead: boolean; faults: RequestFaults }): Promise<number> {
    response.sendDate = false;
    const headers: Record<string, string> = {
      ...answer.headers,
      "x-amz-request-id": this.#requestId(),
      "x-amz-id-2": `host-of-${this.#requestId()}`,
      server: "AmazonS3",
    };
    if (!how.faults.has("no-date")) headers.date = new Date(this.#nowMs()).toUTCString();
    this.#answers++;
    return deliver({ ...answer, headers }, response, how);
  }
}

/** All bytes of a request; undefined where it ended before. */
async function bodyOf(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

/** Refusals before anything is checked. @throws S3Error */
function refuseFirst({ operation, headers, target }: S3Request, faults: RequestFaults): void {
  if (faults.has("internal-error")) throw internalError();
  if (faults.has("slow-down")) throw new S3Error("SlowDown", "Please reduce your request rate.");
  if (faults.has("conflict")) {
    throw new S3Error(
      "ConditionalRequestConflict",
      "The conditional request cannot succeed due to a conflicting operation against this resource.",
    );
  }
  const redirect = faults.get("redirect");
  if (redirect !== undefined) {
    const told: Record<string, string> = { "x-amz-bucket-region": redirect.region };
    if (redirect.location !== undefined) told.location = `${redirect.location}${target}`;
    const code = redirect.status === 301 ? "PermanentRedirect" : "TemporaryRedirect";
    const Endpoint = `s3.${redirect.region}.amazonaws.com`;
    throw new S3Error(
      code,
      "The bucket you are attempting to access must be addressed using the specified endpoint.",
      { Endpoint },
      told,
    );
  }
  if (operation === "PutObject" && !headers.has("content-length")) {
    throw new S3Error("MissingContentLength", "You must provide the Content-Length HTTP header.");
  }
}

function internalError(): S3Error {
  return new S3Error("InternalError", "We encountered an internal error. Please try again.");
}

const conditionNames = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "range"];

function recordOf(request: S3Request, faults: RequestFaults): RecordedRequest {
  const { operation, method, bucket, key, query, headers, body } = request;
  const expires = parameter(request, "X-Amz-Expires");
  const conditions = conditionNames.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    operation,
    method,
    bucket,
    key,
    query: Object.fromEntries(query.filter(([name]) => !/^x-amz-/i.test(name))),
    conditions: Object.fromEntries(conditions),
    expiresS: expires === undefined ? undefined : Number(expires),
    status: undefined,
    code: undefined,
    bytesIn: body.length,
    bytesOut: 0,
    faults: faults.kinds,
  };
}

function codeOf({ status, body }: Answer): string | undefined {
  return status < 300 || status === 304 ? undefined : /<Code>(.*?)<\/Code>/.exec(body.toString())?.[1];
}

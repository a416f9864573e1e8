import type { Operation, S3Request } from "./s3-request.js";

/** How long something takes: milliseconds, or until a promise is settled. */
export type Wait = number | Promise<unknown>;

/** What goes wrong with a request. The first group happens before anything is done, the second to what is done, the third to the answer. */
export type Fault =
  /** The connection is reset, and nothing is done. */
  | { kind: "reset-before" }
  /** Refused with 503, and nothing is done. */
  | { kind: "slow-down" }
  /** Refused with 500, and nothing is done. */
  | { kind: "internal-error" }
  /** A write is refused with 409 ConditionalRequestConflict, and nothing is done. */
  | { kind: "conflict" }
  /** 301 or 307 to another region. `location`: an origin; the path and the query are those of the request. */
  | { kind: "redirect"; status: 301 | 307; region: string; location?: string }

  /** The conditions of a write are ignored. */
  | { kind: "ignore-conditions" }
  /**
   * Conditions are checked before anything is written: the write waits until as many as `contenders` have passed the check,
   * or 200 ms.
   */
  | { kind: "race"; contenders: number }
  /** A list shows the objects of so many milliseconds of server time ago. */
  | { kind: "stale-list"; ms: number }
  /** Each page of a list says that there is more, with the same token. */
  | { kind: "endless-list" }
  /** A list has these keys, too, for any prefix. */
  | { kind: "foreign-keys"; keys: readonly string[] }

  /** Done; then the connection is reset without an answer. */
  | { kind: "reset-after" }
  /** Done; then 503. */
  | { kind: "slow-down-after" }
  /** Done; then 500. */
  | { kind: "internal-error-after" }
  | { kind: "slow-headers"; wait: Wait }
  /** After the headers and half of the body. */
  | { kind: "slow-body"; wait: Wait }
  /** After so many bytes of the body, the connection is reset. */
  | { kind: "cut-body"; after: number }
  /** Only so many bytes of the body are sent, as if they were all. */
  | { kind: "short-body"; length: number }
  /** `Content-Length` says so many bytes more than there are, or fewer; then the connection ends. */
  | { kind: "wrong-length"; by: number }
  /** One bit of a byte of the body is another one; `at` counts from the end where it is less than 0. */
  | { kind: "flipped-bit"; at: number }
  /** The ETag in the header has no quotes, is a weak one, is that of something else, or is missing. */
  | { kind: "etag"; form: "unquoted" | "weak" | "foreign" | "missing" }
  | { kind: "no-date" }
  /** Another body, with the status and the headers of the answer. */
  | { kind: "body"; body: string };

/** Whom a fault hits. */
export interface FaultRule {
  /** All requests where missing. */
  when?: (request: S3Request) => boolean;
  /** How many of them, from the first; all where missing. */
  times?: number;
}

/** A fault that is set. */
export interface FaultHandle {
  /** How many requests it has hit. */
  readonly hits: number;
  /** No request is hit any more. */
  clear(): void;
}

/** The faults that are set, and whom they hit. */
export class Faults {
  readonly #rules = new Set<{ fault: Fault; when: (request: S3Request) => boolean; left: number; hits: number }>();

  add(fault: Fault, { when = () => true, times = Number.POSITIVE_INFINITY }: FaultRule): FaultHandle {
    const rule = { fault, when, left: times, hits: 0 };
    this.#rules.add(rule);
    return {
      get hits() {
        return rule.hits;
      },
      clear: () => this.#rules.delete(rule),
    };
  }

  clear(): void {
    this.#rules.clear();
  }

  /** The faults that hit a request; each is counted. */
  of(request: S3Request): RequestFaults {
    const hitting = [...this.#rules].filter(
      ({ left, when, fault }) => left > 0 && fits(fault, request) && when(request),
    );
    for (const rule of hitting) {
      rule.left--;
      rule.hits++;
    }
    return new RequestFaults(hitting.map(({ fault }) => fault));
  }
}

/** The faults of one request, by their kinds. */
export class RequestFaults {
  readonly #faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  get kinds(): Fault["kind"][] {
    return this.#faults.map(({ kind }) => kind);
  }

  has(kind: Fault["kind"]): boolean {
    return this.#faults.some((fault) => fault.kind === kind);
  }

  get<Kind extends Fault["kind"]>(kind: Kind): Extract<Fault, { kind: Kind }> | undefined {
    return this.#faults.find((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
  }
}

const writes: readonly Operation[] = ["PutObject", "DeleteObject"];
const reads: readonly Operation[] = ["GetObject", "ListObjectsV2"];
const lists: readonly Operation[] = ["ListObjectsV2"];

/** The operations that a fault can happen to; all others where it is not named. A count is of these alone. */
const operations: Partial<Record<Fault["kind"], readonly Operation[]>> = {
  conflict: writes,
  "ignore-conditions": writes,
  race: writes,
  "slow-down-after": writes,
  "internal-error-after": writes,
  "stale-list": lists,
  "endless-list": lists,
  "foreign-keys": lists,
  "slow-body": reads,
  "cut-body": reads,
  "short-body": reads,
  "wrong-length": reads,
  "flipped-bit": reads,
};

function fits({ kind }: Fault, { operation }: S3Request): boolean {
  return operations[kind]?.includes(operation) ?? true;
}

/** An XML document that is a kilobyte long and three gigabytes when its entities are put in. */
export const entityBomb = [
  '<?xml version="1.0"?>',
  "<!DOCTYPE ListBucketResult [",
  '<!ENTITY a0 "lol">',
  ...Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`),
  "]>",
  '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix></Prefix><KeyCount>1</KeyCount>',
  "<MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated><Contents><Key>&a9;</Key><Size>1</Size></Contents></ListBucketResult>",
].join("\n");

import { randomBytes } from "node:crypto";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { isOffprintError } from "../../lib/errors.js";
import type { Bucket } from "./bucket.js";

/** One request of a trial, sent once with exactly these headers. */
export interface TrialRequest {
  method: "GET" | "PUT";
  name: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** The storage must refuse it after this time, by its own clock (ms). */
  untilMs?: number;
  /** Signing time by the same clock; default: now. */
  signedMs?: number;
}

export interface TrialAnswer {
  status: number;
  /** The storage's error code; "": none. */
  code: string;
}

/** A bucket whose storage can be tried. */
export interface TriableBucket extends Bucket {
  origin(): Promise<string>;
  /** Sends one request once, and returns every status. @throws OffprintError as {@link Bucket} */
  tryOnce(request: TrialRequest): Promise<TrialAnswer>;
  /** The storage's clock, in milliseconds since the epoch. */
  storageMs(): number;
}

/** One test. A warning does not prevent writing. */
export interface TrialStep {
  /** A short stable name: `create-race`. */
  step: string;
  outcome: "ok" | "warning" | "failed";
  /** The result, or its cost. */
  seen: string;
}

export interface StoreTrial {
  /** `s3://bucket/prefix`. */
  address: string;
  origin: string;
  steps: TrialStep[];
  /** Whether several machines may write there. */
  verdict: "safe" | "unsafe";
  /** Known facts about this storage, or "". */
  hint: string;
}

export interface TrialOptions {
  /** Folder for the trial's objects. */
  folder: string;
  /** How often to run the race; default 3. */
  rounds?: number;
}

const contenders = 32;
/** How often to repeat a round that failed without a result. */
const mostRepeats = 3;

/** Whether a bucket is safe for a shared snapshot. Sends about 150 requests below the prefix. */
export async function tryBucket(bucket: TriableBucket, { folder, rounds = 3 }: TrialOptions): Promise<StoreTrial> {
  const trial = new Trial(bucket, `${folder}/${randomBytes(8).toString("hex")}`);
  try {
    const steps = await trial.run(rounds);
    const origin = await bucket.origin();
    const verdict = steps.some(({ outcome }) => outcome === "failed") ? "unsafe" : "safe";
    return { address: bucket.address, origin, steps, verdict, hint: storageHint(origin) };
  } finally {
    await trial.cleanUp();
  }
}

const isDone = ({ status }: TrialAnswer) => status >= 200 && status < 300;
/** The result is unknown, or the storage asks for a retry. */
const isOpen = ({ status }: TrialAnswer) =>
  status === 0 || status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501);
const answerText = ({ status, code }: TrialAnswer) => (status === 0 ? "no answer" : [status, code].join(" ").trim());

type Condition = Omit<TrialRequest, "method" | "name" | "body">;

class Trial {
  readonly #bucket: TriableBucket;
  readonly #folder: string;
  readonly #used = new Set<string>();
  /** The form of tags in `If-Match` that the storage understands. */
  #tagWritten: (tag: string) => string = (tag) => tag;

  constructor(bucket: TriableBucket, folder: string) {
    this.#bucket = bucket;
    this.#folder = folder;
  }

  async run(rounds: number): Promise<TrialStep[]> {
    const existing = await this.#createExisting();
    const steps = [existing, ...(await this.#replaces()), await this.#replaceMissing()];
    // No need to ask storage 32 times that refuses every condition.
    if (existing.outcome === "ok") {
      steps.push(await this.#race("create-race", rounds, async () => ({ "if-none-match": "*" })));
    }
    if (steps.every(({ outcome }) => outcome === "ok")) {
      const current = async (name: string) => ({ "if-match": this.#tagWritten(await this.#stored(name, "before")) });
      steps.push(await this.#race("replace-race", 1, current));
    }
    return [...steps, await this.#freshness(), ...(await this.#lateness())];
  }

  async cleanUp(): Promise<void> {
    await mapBounded([...this.#used], 8, (name) => this.#bucket.remove(name).catch(() => undefined));
  }

  /** One write, repeated if its answer leaves the result open. */
  async #put(name: string, text: string, more?: Condition): Promise<TrialAnswer> {
    let answer = await this.#putOnce(name, text, more);
    for (let repeats = 0; isOpen(answer) && repeats < mostRepeats; repeats++) {
      answer = await this.#putOnce(name, text, more);
    }
    return answer;
  }

  async #putOnce(name: string, text: string, more?: Condition): Promise<TrialAnswer> {
    this.#used.add(name);
    try {
      return await this.#bucket.tryOnce({ method: "PUT", name, body: Buffer.from(text), ...more });
    } catch (error) {
      if (isOffprintError(error, "STORE_UNREACHABLE")) return { status: 0, code: "" };
      throw error;
    }
  }

  async #read(name: string): Promise<{ text: string; tag: string } | undefined> {
    const found = await this.#bucket.get(name);
    return typeof found === "object" ? { text: Buffer.from(found.bytes).toString(), tag: found.tag } : undefined;
  }

  async #stored(name: string, text: string): Promise<string> {
    this.#used.add(name);
    await this.#bucket.put(name, Buffer.from(text));
    return (await this.#read(name))?.tag ?? "";
  }

  #name(what: string): string {
    return `${this.#folder}/${what}`;
  }

  async #createExisting(): Promise<TrialStep> {
    const name = this.#name("existing");
    await this.#stored(name, "first");
    const answer = await this.#put(name, "second", { headers: { "if-none-match": "*" } });
    const left = await this.#read(name);
    return judged("create-existing", answer.status === 412 && left?.text === "first", {
      ok: "An object that is there is not created again (412).",
      failed:
        left?.text === "second"
          ? `An object was overwritten though If-None-Match forbade it (${answerText(answer)}).`
          : `If-None-Match is refused as such (${answerText(answer)}).`,
    });
  }

  async #replaces(): Promise<TrialStep[]> {
    const name = this.#name("replaced");
    const forms = { quoted: (tag: string) => `"${tag}"`, unquoted: (tag: string) => tag };
    const stale = await this.#stored(name, "0");
    let current = await this.#stored(name, "1");
    const understood: string[] = [];
    const ignored: string[] = [];
    for (const [form, written] of Object.entries(forms)) {
      await this.#put(name, `stale ${form}`, { headers: { "if-match": written(stale) } });
      const after = await this.#read(name);
      if (after?.text === `stale ${form}`) ignored.push(form);
      current = after?.tag ?? "";
      await this.#put(name, `right ${form}`, { headers: { "if-match": written(current) } });
      if ((await this.#read(name))?.text === `right ${form}`) understood.push(form);
    }
    // Only the form in use matters: the quoted one if understood.
    const used = understood.includes("quoted") || understood.length === 0 ? "quoted" : "unquoted";
    this.#tagWritten = forms[used];
    return [
      judged("replace-current", understood.length > 0, {
        ok: `If-Match with the tag of the object is met (${understood.join(" and ")}).`,
        failed: "If-Match with the tag of the object is refused.",
      }),
      judged("replace-stale", !ignored.includes(used), {
        ok: "If-Match with an earlier tag is refused.",
        failed: "If-Match with an earlier tag overwrote an object.",
      }),
    ];
  }

  async #replaceMissing(): Promise<TrialStep> {
    const name = this.#name("missing");
    const answer = await this.#put(name, "made", { headers: { "if-match": '"d41d8cd98f00b204e9800998ecf8427e"' } });
    const found = await this.#read(name);
    return judged("replace-missing", !isDone(answer) && found === undefined, {
      ok: `If-Match on a missing object is refused (${answerText(answer)}).`,
      failed: "If-Match created a missing object.",
    });
  }

  /** Concurrent writers, of whom exactly one may win each round. */
  async #race(
    step: string,
    rounds: number,
    prepare: (name: string) => Promise<NonNullable<Condition["headers"]>>,
  ): Promise<TrialStep> {
    let fault: string | undefined;
    let repeats = 0;
    for (let round = 0; round < rounds && fault === undefined; ) {
      const name = this.#name(`${step}-${round}-${repeats}`);
      const headers = await prepare(name);
      const texts = Array.from({ length: contenders }, (_, writer) => `writer ${writer}`);
      const answers = await Promise.all(texts.map((text) => this.#putOnce(name, text, { headers })));
      const winners = texts.filter((_, writer) => isDone(answers[writer]!));
      const stored = winners.length > 1 ? undefined : await this.#read(name);
      const open = answers.find(isOpen);
      const many = `${contenders} concurrent writers`;
      if (winners.length > 1) fault = `${winners.length} of ${many} got a success response; only one may.`;
      else if (winners.length === 1 && stored?.text === winners[0]) round++;
      else if (winners.length === 1) fault = "The stored object is not that of the writer who got a success response.";
      else if (open === undefined) fault = `None of ${many} could write (${answerText(answers[0]!)}).`;
      else if (++repeats > mostRepeats) fault = `No round of ${many} finished (${answerText(open)}).`;
    }
    return judged(step, fault === undefined, {
      ok: `Exactly one of ${contenders} concurrent writers won, in each of ${rounds} ${rounds === 1 ? "round" : "rounds"}.`,
      failed: fault ?? "",
    });
  }

  async #freshness(): Promise<TrialStep> {
    const name = this.#name("fresh");
    const isListed = async () => (await this.#bucket.list(name)).some((entry) => entry.name === name);
    await this.#stored(name, "first");
    const listed = await isListed();
    await this.#stored(name, "second");
    const read = await this.#read(name);
    await this.#bucket.remove(name);
    await this.#bucket.remove(name);
    const gone = await this.#read(name);
    const wrong = [
      ...(listed ? [] : ["a list lacked an object written before"]),
      ...(read?.text === "second" ? [] : ["a read returned an object's earlier state"]),
      ...(gone === undefined ? [] : ["a read returned a removed object"]),
      ...((await isListed()) ? ["a list had a removed object"] : []),
    ];
    return judged("fresh", wrong.length === 0, {
      ok: "Reads and lists show writes and removals at once.",
      failed: `Reads or lists are stale after a write or removal: ${wrong.join("; ")}.`,
    });
  }

  /** The fence of the lease: late requests of a paused process. */
  async #lateness(): Promise<TrialStep[]> {
    const name = this.#name("late");
    const nowMs = this.#bucket.storageMs();
    const inTime = await this.#put(name, "in time", { untilMs: nowMs + 60_000 });
    const late = await this.#put(name, "late", { untilMs: nowMs - 30_000, signedMs: nowMs - 60_000 });
    const accepted = judged("in-time", isDone(inTime), {
      ok: "A presigned request is accepted while it is valid.",
      failed: `A presigned request is refused (${answerText(inTime)}); every write under a lease is one.`,
    });
    const refused = judged("late", !isDone(late), {
      ok: `An expired request is refused (${answerText(late)}).`,
      failed:
        "An expired request is accepted: a process paused during a write may still write one object after another machine has taken over.",
    });
    return [accepted, refused.outcome === "failed" ? { ...refused, outcome: "warning" } : refused];
  }
}

function judged(step: string, isOk: boolean, seen: { ok: string; failed: string }): TrialStep {
  return { step, outcome: isOk ? "ok" : "failed", seen: isOk ? seen.ok : seen.failed };
}

/** Known storage by host; docs/store.md has the same with sources. */
const known: readonly [host: RegExp, hint: string][] = [
  [/(^|\.)backblazeb2\.com$/, "Backblaze B2 refuses conditional writes."],
  [/(^|\.)storage\.googleapis\.com$/, "The S3 API of Google Cloud Storage ignores conditional writes."],
  [/(^|\.)otc\.t-systems\.com$/, "Open Telekom Cloud ignores conditional writes."],
  [
    /(^|\.)r2\.cloudflarestorage\.com$/,
    "Cloudflare R2 does not document how conditional writes behave under contention.",
  ],
];

function storageHint(origin: string): string {
  const { hostname } = new URL(origin);
  return known.find(([host]) => host.test(hostname))?.[1] ?? "";
}

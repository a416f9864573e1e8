import { type ErrorCode, errorCodes } from "../lib/errors.js";
import { parseAs } from "../lib/parse-as.js";
import { number, object, oneOf } from "../lib/shape.js";
import { parkedFile } from "../snapshot/layout.js";
import { openFileStore } from "../snapshot/store/file-store.js";
import type { RunSurroundings } from "./run-space.js";
import type { RunEnded } from "./watch-event.js";

/** Since when a space is refused, in milliseconds since the epoch, and with which code. */
export interface Refusal {
  sinceMs: number;
  code: ErrorCode;
}

export const refusalShape = object<Refusal>({
  sinceMs: number,
  code: oneOf(...(Object.keys(errorCodes) as ErrorCode[])),
});

/** Only a person heals these: with another token, key or configuration. */
const refusedCodes: ReadonlySet<ErrorCode> = new Set([
  "UPSTREAM_REFUSED",
  "STORE_REFUSED",
  "STORE_CREDENTIALS",
  "STORE_MISSING",
  "STORE_UNSAFE",
  "SPACE_MISMATCH",
  "LANGUAGE_UNKNOWN",
]);

/** The refusal after a run. A run that fails otherwise, for example without a network, says nothing about it. Pure. */
export function refusalAfter(
  before: Refusal | undefined,
  { outcome, problems }: Pick<RunEnded, "outcome" | "problems">,
  atMs: number,
): Refusal | undefined {
  if (outcome !== "failed") return undefined;
  const refused = problems.find(({ code }) => refusedCodes.has(code));
  if (refused === undefined) return before;
  return { sinceMs: before?.sinceMs ?? atMs, code: refused.code };
}

/** What has failed for so long is tried less often, in milliseconds. */
const patienceMs = 3_600_000;
const longestBackOffMs = 6 * 3_600_000;

/** How long to wait after a failure: nothing in the first hour, then as long as it has failed, at most six hours. Pure. */
export function backOffMs(failingMs: number): number {
  return failingMs < patienceMs ? 0 : Math.min(failingMs, longestBackOffMs);
}

/** How long a refused space waits after a run; more than 0: it is parked. Pure. */
export function parkedMs(refusal: Pick<Refusal, "sinceMs"> | undefined, runAtMs: number): number {
  return refusal === undefined ? 0 : backOffMs(runAtMs - refusal.sinceMs);
}

/** How often a parked space looks whether it is resumed, in milliseconds. */
const resumeLookMs = 5000;

/** Whether a space that this process watches is parked. */
export class SpaceParking {
  #refusal: Refusal | undefined;
  #isTold = false;
  /** Whether a note says so, which others may remove. */
  #isNoted = false;
  readonly #space: string;
  readonly #note: ParkedNote | undefined;
  readonly #around: Pick<RunSurroundings, "clock" | "emit">;

  /** @param note undefined: nobody can lift it */
  constructor(space: string, note: ParkedNote | undefined, around: Pick<RunSurroundings, "clock" | "emit">) {
    this.#space = space;
    this.#note = note;
    this.#around = around;
  }

  /** Takes over what an earlier process, or these settings before a change, left. @returns whether the space is parked */
  async begin(): Promise<boolean> {
    const noted = await this.#note?.read().catch(() => undefined);
    this.#refusal = noted ?? this.#refusal;
    this.#isNoted = noted !== undefined && this.waitMs > 0;
    this.#isTold ||= this.#isNoted;
    return this.#isTold;
  }

  after(done: Pick<RunEnded, "outcome" | "problems">): void {
    this.#refusal = refusalAfter(this.#refusal, done, this.#around.clock.now());
  }

  /** How long it waits beyond its schedule after a run that ends now, in milliseconds. */
  get waitMs(): number {
    return parkedMs(this.#refusal, this.#around.clock.now());
  }

  /** Reports once that the space is parked and notes it; removes the note when it is refused no more. */
  async tell(nextAtMs: number | null): Promise<void> {
    const { clock, emit } = this.#around;
    const wasTold = this.#isTold;
    this.#isTold = this.waitMs > 0;
    if (this.#refusal === undefined) {
      this.#isNoted = false;
      if (wasTold) await this.#note?.remove().catch(() => undefined);
    } else if (this.#isTold && !wasTold) {
      emit({ kind: "parked", space: this.#space, atMs: clock.now(), ...this.#refusal, nextAtMs });
      // A folder that cannot be written: nobody can lift it there.
      const wrote = this.#note?.write(this.#refusal).then(() => true);
      this.#isNoted = (await wrote?.catch(() => false)) ?? false;
    }
  }

  /** Sleeps, or for seconds only while somebody may resume the space. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await this.#around.clock.sleep(this.#isNoted ? Math.min(ms, resumeLookMs) : ms, signal);
  }

  /** Whether somebody has lifted it since the last look. */
  async isResumed(): Promise<boolean> {
    if (!this.#isNoted || (await this.#note?.read().catch(() => this.#refusal)) !== undefined) return false;
    this.#isNoted = false;
    this.#isTold = false;
    this.#refusal = undefined;
    return true;
  }
}

export type ParkedNote = ReturnType<typeof parkedNote>;

/**
 * A file in the output folder while `watch` has parked the space: `status` reads it, and `offprint resume` removes it,
 * which the process notices.
 */
export function parkedNote(dir: string) {
  const files = openFileStore(dir, { rebuildable: true });
  return {
    read: async () => parseAs(await files.get(parkedFile), refusalShape),
    write: (refusal: Refusal) => files.replace(parkedFile, Buffer.from(`${JSON.stringify(refusal)}\n`)),
    remove: () => files.remove(parkedFile),
  };
}

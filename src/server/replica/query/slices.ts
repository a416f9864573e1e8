/** Work that yields every few microseconds, so that a runner can pause it; returns its result. */
export type Sliced<T> = Generator<void, T>;

export type SliceRunner = ReturnType<typeof createSliceRunner>;

/** Longest time a slice may block other requests, in milliseconds. */
const sliceMs = 5;

/**
 * Runs all work in turns: one slice of a few milliseconds per turn of the event loop. All snapshots of a replica share
 * one. `now` is in milliseconds.
 */
export function createSliceRunner(now: () => number = () => performance.now()) {
  const waiting: (() => void)[] = [];
  /** Start of this turn's slice, shared by all its work; undefined if no work has run. */
  let startedMs: number | undefined;
  const beginTurn = (): void => {
    startedMs = undefined;
    // It runs, begins a slice, and so causes the next turn.
    waiting.shift()?.();
  };
  const isSliceOver = (): boolean => {
    if (startedMs !== undefined) return now() - startedMs >= sliceMs;
    startedMs = now();
    setImmediate(beginTurn);
    return false;
  };
  const run = async <T>(work: Sliced<T>): Promise<T> => {
    for (;;) {
      if (isSliceOver()) {
        await new Promise<void>((resume) => waiting.push(resume));
        continue;
      }
      const step = work.next();
      if (step.done === true) return step.value;
    }
  };
  return { run, lazy: <T>(work: () => Sliced<T>) => lazyResult(work, run) };
}

export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function lazyResult<T>(work: () => Sliced<T>, run: (work: Sliced<T>) => Promise<T>) {
  let made: { value: T } | undefined;
  let making: Promise<T> | undefined;
  // A synchronous caller may have finished first. All callers get the first value.
  const keep = (value: T): T => {
    made ??= { value };
    return made.value;
  };
  return {
    /** Computes without a pause if not ready yet: call `ready` first. */
    get: () => (made === undefined ? keep(runAtOnce(work())) : made.value),
    /** Computes in slices if not ready yet. Concurrent callers share the work. */
    ready(): Promise<T> {
      if (made !== undefined) return Promise.resolve(made.value);
      making ??= run(work())
        .then(keep)
        .finally(() => {
          making = undefined;
        });
      return making;
    },
  };
}

/** Number of rows sorted or merged between two yields. */
const runLength = 1024;

/** Stable: sorts short runs, then merges them in pairs. Returns `rows` or an array as long. */
export function* sortSliced(rows: Uint32Array, compare: (a: number, b: number) => number): Sliced<Uint32Array> {
  for (let start = 0; start < rows.length; start += runLength) {
    rows.subarray(start, start + runLength).sort(compare);
    yield;
  }
  let from: Uint32Array = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  for (let width = runLength; width < rows.length; width *= 2) {
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length);
      yield* merge(from, to, { start, middle, end: Math.min(middle + width, rows.length) }, compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

function* merge(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: { start: number; middle: number; end: number },
  compare: (a: number, b: number) => number,
): Sliced<void> {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at += 1) {
    const takeLeft = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0);
    to[at] = from[takeLeft ? left++ : right++]!;
    if (at % runLength === 0) yield;
  }
}

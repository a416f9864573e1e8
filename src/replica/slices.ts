/** Work that yields now and then, so that it can be done in slices; returns its result. */
export type Sliced<T> = Generator<void, T>;

/** How long a slice may hold up other requests, in milliseconds. */
const sliceMs = 5;

/** Does the work without a pause. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work in slices of a few milliseconds; other requests have their turn between two. */
export async function runInSlices<T>(work: Sliced<T>): Promise<T> {
  let startedMs = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - startedMs < sliceMs) continue;
    await nextTurn();
    startedMs = performance.now();
  }
}

/**
 * Work that is done once, when it is first needed: in slices for whoever waits for it, at once for whoever cannot. Those
 * who wait at the same time share it.
 */
export interface OnceSliced<T> {
  (): T;
  ready(): Promise<T>;
}

export function onceSliced<T>(work: () => Sliced<T>): OnceSliced<T> {
  let made: { value: T } | undefined;
  let making: Promise<T> | undefined;
  const keep = (value: T): T => {
    made ??= { value };
    return made.value;
  };
  const get = (): T => (made === undefined ? keep(runAtOnce(work())) : made.value);
  return Object.assign(get, {
    ready(): Promise<T> {
      if (made !== undefined) return Promise.resolve(made.value);
      making ??= runInSlices(work())
        .then(keep)
        .finally(() => {
          making = undefined;
        });
      return making;
    },
  });
}

const waiting: (() => void)[] = [];

/** One slice for each turn of the event loop, however many are waiting: requests that just arrived come in between. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resume);
  });
}

function resume(): void {
  const next = waiting.shift();
  next?.();
  if (waiting.length > 0) setImmediate(resume);
}

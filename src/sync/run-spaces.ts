import { createGate } from "../lib/concurrency/gate.js";

/** Waits for the turn of a space that needs more than a probe; further calls return at once. */
export type Admit = () => Promise<void>;

/** Syncs many spaces side by side: many may probe, a few may work. */
export interface SpaceQueue {
  /** Work may only probe until it calls `admit`, which frees its place and waits for one of the working places. */
  run<T>(work: (admit: Admit) => Promise<T>): Promise<T>;
}

/** How many spaces are probed at once: a probe is one request, and needs hardly any memory. */
const probesAtOnce = 16;

/** @param options.concurrency spaces that may work at once: each has its index in memory */
export function createSpaceQueue({ concurrency }: { concurrency: number }): SpaceQueue {
  const probing = createGate(probesAtOnce);
  const working = createGate(concurrency);
  return {
    async run(work) {
      let leave = await probing.enter();
      let admitted: Promise<void> | undefined;
      const changePlaces = async () => {
        leave();
        leave = () => {};
        leave = await working.enter();
      };
      const admit = () => {
        admitted ??= changePlaces();
        return admitted;
      };
      try {
        return await work(admit);
      } finally {
        // Work that failed while it waited for its turn returns the place when it gets it.
        await admitted;
        leave();
      }
    },
  };
}

export type SpaceOutcome<S, T> = { space: S; value: T } | { space: S; error: unknown };

export interface RunSpacesOptions {
  concurrency: number;
  /** When aborted, no further space begins: its reason is their error. */
  signal?: AbortSignal | undefined;
}

/** Does something with every space, also if one fails. @returns outcomes in their order */
export async function runSpaces<S, T>(
  spaces: readonly S[],
  { concurrency, signal }: RunSpacesOptions,
  work: (space: S, admit: Admit) => Promise<T>,
): Promise<SpaceOutcome<S, T>[]> {
  const queue = createSpaceQueue({ concurrency });
  const runOne = (space: S) =>
    queue.run(async (admit): Promise<SpaceOutcome<S, T>> => {
      try {
        signal?.throwIfAborted();
        return { space, value: await work(space, admit) };
      } catch (error) {
        return { space, error };
      }
    });
  return Promise.all(spaces.map(runOne));
}

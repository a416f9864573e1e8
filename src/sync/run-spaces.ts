import { createGate } from "../lib/concurrency/gate.js";

/** Waits for the turn of a space that has more to do than ask whether it has; further calls return at once. */
export type Admit = () => Promise<void>;

/** Lets spaces be synced beside one another: many may ask, a few may work. */
export interface SpaceQueue {
  /**
   * Runs the sync of one space, or whatever else is done with it: at first it may only probe. What calls `admit` gives the
   * place among those that probe to another space, and has one of those that work until it ends.
   */
  run<T>(work: (admit: Admit) => Promise<T>): Promise<T>;
}

/** How many spaces are probed at once: a probe is one request, and needs next to no memory. */
const probesAtOnce = 16;

/** @param options.concurrency spaces that may work at once: each holds the index of its space in memory */
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
        // Work that failed while it waited for its turn gives the place back when it gets it.
        await admitted;
        leave();
      }
    },
  };
}

/** What became of one space. */
export type SpaceOutcome<S, T> = { space: S; value: T } | { space: S; error: unknown };

/** How {@link runSpaces} runs. */
export interface RunSpacesOptions {
  /** See {@link createSpaceQueue}. */
  concurrency: number;
  /** When it ends, no further space is begun: its reason is their error. */
  signal?: AbortSignal | undefined;
}

/** Does something with every space, and goes on where one fails. @returns one outcome for each space, in their order */
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

import type { SyncContext } from "./sync-context.js";

/** A probe that is older, in milliseconds, is asked once more: the space may have moved, and a reading at that cv be in vain. */
const freshProbeMs = 5_000;

/**
 * Waits until the caller of this sync lets it do more than probe. The time counts neither for a stage nor for the sync.
 *
 * @returns whether what was probed before is too old by now
 * @throws what the caller throws; the reason of the signal
 */
export async function takeTurn({ options, clock, source }: SyncContext): Promise<boolean> {
  if (options.admit === undefined) return false;
  const resume = clock.pause();
  const { pacing } = source;
  const sinceMs = pacing.now();
  try {
    await options.admit();
    options.signal?.throwIfAborted();
  } finally {
    resume();
  }
  return pacing.now() - sinceMs > freshProbeMs;
}

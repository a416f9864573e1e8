import type { ProbeAnswer, Upstream } from "../upstream/upstream.js";
import { whyMissing } from "./parts/part-reading.js";
import type { Pacing, Pin } from "./run/pin.js";
import type { PinnedUpstream } from "./run/pinned-upstream.js";

/**
 * The probe that closes a round: at least `settleMs` after the last read, because the cv may move after a write is
 * visible.
 */
export async function closingProbe(
  upstream: Pick<Upstream, "probe">,
  { lastReadMs }: Pick<Pin, "cv" | "lastReadMs">,
  pacing: Pacing,
  settleMs: number,
): Promise<ProbeAnswer> {
  const elapsedMs = pacing.now() - (lastReadMs ?? 0);
  if (elapsedMs < settleMs) await pacing.sleep(settleMs - elapsedMs, "the space settles (source.settle)");
  return upstream.probe();
}

/**
 * The space's own version once a round was read. A minimum cache time holds the cv back, so that a publish during the round
 * moves this version alone.
 * @returns undefined where the space no longer reports one
 */
export async function closingVersion(pinned: Pick<PinnedUpstream, "spaceMe">): Promise<number | null | undefined> {
  try {
    return (await pinned.spaceMe()).body.value.version;
  } catch (error) {
    if (whyMissing(error) === undefined) throw error;
    return undefined;
  }
}

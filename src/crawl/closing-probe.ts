import type { ProbeAnswer, Upstream } from "../upstream/upstream.js";
import type { Pacing, Pin } from "./pin.js";

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

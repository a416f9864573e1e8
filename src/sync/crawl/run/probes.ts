import type { ProbeAnswer, Upstream } from "../../upstream/upstream.js";
import { cvMaturityMs, mature, type Pacing, type Pin } from "./pin.js";

/** How many probes in a row may find the cv too young. */
const probeLimit = 16;
/** The limit after an unclean round: in a space that keeps moving, the cv never gets old enough. */
const laterProbeLimit = 2;

/** A cv counts whole seconds: a second write in one would not move it. @returns `immature`: a round is not clean */
export async function matureProbe(
  upstream: Upstream,
  first: ProbeAnswer,
  pacing: Pacing,
  round = 0,
): Promise<{ probe: ProbeAnswer; immature: boolean }> {
  const limit = round === 0 ? probeLimit : laterProbeLimit;
  let probe = first;
  for (let attempt = 0; attempt < limit && isYoung(probe); attempt++) {
    const immature = await mature(probe.cv, probe.dateMs, pacing);
    if (immature) return { probe, immature };
    probe = await upstream.probe();
  }
  return { probe, immature: isYoung(probe) };
}

function isYoung({ cv, dateMs }: ProbeAnswer): boolean {
  return cv !== null && dateMs !== null && dateMs - cv * 1000 < cvMaturityMs;
}

/** The probe that closes a round. Waits `settleMs`: the cv may move after a write is visible. */
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

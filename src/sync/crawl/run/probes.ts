import type { ProbeAnswer, Upstream } from "../../upstream/upstream.js";
import { cvMaturityMs, mature, type Pacing, type Pin } from "./pin.js";

/** Probes in a row that may find the cv too young. */
const probeLimit = 16;
/** The same once a round was not clean: a space that keeps moving never lets it grow old enough. */
const laterProbeLimit = 2;

/**
 * The cv to read at: probes again until it is {@link cvMaturityMs} old by the server's clock, because a cv counts whole
 * seconds and a second write in the same second would not move it.
 * @param round Rounds before this one.
 * @returns `immature`: the cv was not old enough within 30 s. It may be read at, and the round is not clean.
 */
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

/** The probe that closes a round: `settleMs` after the last read at least, as the cv may move after a write is visible. */
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

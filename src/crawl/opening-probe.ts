import type { ProbeAnswer, Upstream } from "../upstream/upstream.js";
import { cvMaturityMs, mature, type Pacing } from "./pin.js";

const probeLimit = 16;

/**
 * The cv to read at: probes again until it is {@link cvMaturityMs} old by the server's clock, because a cv counts whole
 * seconds and a second write in the same second would not move it.
 * @returns `immature`: the cv was not old enough within 30 s. It may be read at, and the round is not clean.
 */
export async function matureProbe(
  upstream: Upstream,
  first: ProbeAnswer,
  pacing: Pacing,
): Promise<{ probe: ProbeAnswer; immature: boolean }> {
  let probe = first;
  for (let attempt = 0; attempt < probeLimit && isYoung(probe); attempt++) {
    const immature = await mature(probe.cv, probe.dateMs, pacing);
    if (immature) return { probe, immature };
    probe = await upstream.probe();
  }
  return { probe, immature: isYoung(probe) };
}

function isYoung({ cv, dateMs }: ProbeAnswer): boolean {
  return cv !== null && dateMs !== null && dateMs - cv * 1000 < cvMaturityMs;
}

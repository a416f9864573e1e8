import type { Config } from "../../../config/config.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import type { Manifest } from "../../../snapshot/manifest.js";

/** Whether a space has taxonomies. */
export interface TaxonomyScope {
  /** `refused`: it has some, but refuses to serve stories with their terms. */
  kind: "none" | "terms" | "refused";
  reason?: string;
  /** What the question cost; 0 if the answer was known. */
  requests: number;
}

/** As the last generation knows it. */
export function knownTaxonomies({ source }: Config, previous: Manifest | undefined): TaxonomyScope {
  const none = { kind: "none", requests: 0 } as const;
  if (!source.include.taxonomies || previous === undefined) return none;
  if ((previous.parts[partNames.taxonomies]?.records ?? 0) > 0) return { kind: "terms", requests: 0 };
  const left = previous.notIncluded.find(({ part }) => part === partNames.taxonomies);
  return left === undefined ? none : { kind: "refused", reason: left.reason, requests: 0 };
}

const dayMs = 86_400_000;

/** Whether to ask a space without taxonomies for them: once, with `--full`, and with the first reading a day later. */
export function asksForTaxonomies(
  config: Config,
  { kind }: TaxonomyScope,
  { askedAtMs, full, nowMs }: { askedAtMs: number | null; full: boolean; nowMs: number },
): boolean {
  if (!config.source.include.taxonomies || kind === "terms") return false;
  return full || askedAtMs === null || nowMs < askedAtMs || nowMs - askedAtMs >= dayMs;
}

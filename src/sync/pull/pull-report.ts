import type { Problem } from "../../lib/errors.js";
import type { Level, Manifest } from "../../snapshot/manifest.js";
import type { PullPlan } from "./plan-pull.js";

/** What a pull did: the document of `pull --json`. */
export interface PullReport {
  schema: 1;
  /**
   * `pulled`: another generation is current here; `unchanged`: it already was; `kept`: a generation
   * that was rolled back to here stays; `planned`: a dry run, which wrote nothing.
   */
  outcome: "pulled" | "unchanged" | "kept" | "planned";
  from: string;
  /** The current generation; for a dry run, the source's. */
  generation: number;
  /** The previous one; null: none. */
  previous: number | null;
  cv: number | null;
  consistency: Level;
  /** True if a later sync has checked the reading again, see `confirmed` of the manifest. */
  confirmed: boolean;
  /** When the source committed the generation, ISO 8601. */
  committedAt: string;
  /** Number of requests to the source; 0 for a folder. */
  requests: number;
  fetched: { files: number; bytes: number };
  /** Files that were here already. Zero if the whole generation was: it is not checked then. */
  present: { files: number; bytes: number };
  content: { written: number; removed: number };
  /** Old generations that were removed here. */
  removed: { generations: number; objects: number };
  durationMs: number;
  problems: Problem[];
  /** Only for a dry run. */
  plan?: PullPlan;
}

interface PullFacts extends Pick<PullReport, "outcome" | "from" | "previous" | "requests" | "problems"> {
  manifest: Manifest;
  plan?: PullPlan | undefined;
  content?: PullReport["content"] | undefined;
  removed?: PullReport["removed"] | undefined;
  startedMs: number;
}

const nothing = { files: 0, bytes: 0 };

export function pullReport(facts: PullFacts): PullReport {
  const { outcome, from, manifest, previous, requests, plan, content, removed } = facts;
  const isDry = outcome === "planned";
  const fetched = plan === undefined || isDry ? nothing : { files: plan.fetch.length, bytes: plan.fetchBytes };
  return {
    schema: 1,
    outcome,
    from,
    generation: manifest.generation,
    previous,
    cv: manifest.cv,
    consistency: manifest.level,
    confirmed: manifest.confirmed !== false,
    committedAt: manifest.committedAt,
    requests,
    fetched,
    present: plan?.present ?? nothing,
    content: { written: content?.written ?? 0, removed: content?.removed ?? 0 },
    removed: removed ?? { generations: 0, objects: 0 },
    durationMs: Math.round(performance.now() - facts.startedMs),
    problems: [...facts.problems],
    ...(isDry && plan !== undefined ? { plan } : {}),
  };
}

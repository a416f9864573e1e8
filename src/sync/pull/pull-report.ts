import type { Problem } from "../../lib/errors.js";
import type { Level, Manifest } from "../../snapshot/manifest.js";
import type { PullPlan } from "./plan-pull.js";

/** What a pull did: the document of `pull --json`. */
export interface PullReport {
  schema: 1;
  /**
   * `pulled`: another generation is current here; `unchanged`: it was already; `kept`: a generation that was rolled back to
   * here stays; `planned`: a dry run, which wrote nothing.
   */
  outcome: "pulled" | "unchanged" | "kept" | "planned";
  /** The address that was pulled from. */
  from: string;
  /** The generation that is current here now; of a dry run, the source's. */
  generation: number;
  /** The one that was before; null: none. */
  previous: number | null;
  cv: number | null;
  consistency: Level;
  /** Whether a later sync has looked once more at what was read, see `confirmed` of the manifest. */
  confirmed: boolean;
  /** When the source committed the generation, ISO 8601. */
  committedAt: string;
  /** How many requests the source was sent; 0 for a folder. */
  requests: number;
  fetched: { files: number; bytes: number };
  /** Of the generation's files, those that were here. Zero where the generation was: they are not looked at then. */
  present: { files: number; bytes: number };
  content: { written: number; removed: number };
  /** Old generations that were removed here. */
  removed: { generations: number; objects: number };
  durationMs: number;
  problems: Problem[];
  /** Only of a dry run. */
  plan?: PullPlan;
}

/** What the steps of a pull came to. */
interface PullFacts extends Pick<PullReport, "outcome" | "from" | "previous" | "requests" | "problems"> {
  manifest: Manifest;
  /** What was fetched, and what was here; undefined: nothing was looked at. */
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

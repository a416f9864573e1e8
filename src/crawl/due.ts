import type { Config } from "../config/config.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import type { EditionSpec } from "./editions.js";
import type { ProbeAnswer } from "./opening-probe.js";

/** What is known from the last time that the space was confirmed. */
export interface Confirmed {
  cv: number | null;
  /** Server time of the last full look at what cv may not cover, in milliseconds; null: never. */
  checkedAtMs: number | null;
}

/** What a sync has to read. */
export interface DueWork {
  /** Why published stories and the other parts are read; empty when they need not be. */
  published: string[];
  /** Editions that no cv covers: read at every sync. */
  unpinned: boolean;
  /** True when only the recheck interval asks for it: the edge's copy of an unmoved cv has to be passed by. */
  recheck: boolean;
}

/** What has to be read, from what was confirmed before, the probe and the settings. Pure. */
export function dueWork(options: {
  config: Config;
  specs: readonly EditionSpec[];
  previous: Manifest | undefined;
  /** Names of what is damaged of the previous generation. */
  damaged?: readonly string[];
  confirmed: Confirmed;
  probe: ProbeAnswer;
  full: boolean;
}): DueWork {
  const { config, specs, previous, damaged = [], confirmed, probe, full } = options;
  const reasons: string[] = [];
  if (previous === undefined) reasons.push("first sync");
  if (full) reasons.push("--full");
  if (damaged.length > 0) reasons.push(`damaged: ${damaged.join(", ")}`);
  if (previous !== undefined && probe.cv === null) reasons.push("the upstream tells no cv");
  if (previous !== undefined && probe.cv !== null && probe.cv !== confirmed.cv) {
    reasons.push(`cv moved from ${confirmed.cv ?? "unknown"} to ${probe.cv}`);
  }
  if (previous !== undefined) reasons.push(...settingsChanges(specs, previous));
  const rechecking = reasons.length === 0 && recheckIsDue(config, confirmed, probe);
  if (rechecking) reasons.push("recheck is due");
  return {
    published: reasons,
    unpinned: specs.some(({ version }) => version === "draft"),
    recheck: rechecking,
  };
}

/** Whether an edition was read before under the very same settings. */
export function wasRead(spec: EditionSpec, previous: Manifest | undefined): EditionEntry | undefined {
  return previous?.editions.find(({ name, settings }) => name === spec.name && settings === spec.settings);
}

function settingsChanges(specs: readonly EditionSpec[], previous: Manifest): string[] {
  const changed = specs.filter((spec) => wasRead(spec, previous) === undefined).map(({ name }) => name);
  const dropped = previous.editions.filter(({ name }) => !specs.some((spec) => spec.name === name));
  return [
    ...changed.map((name) => `edition ${name} is new or has other settings`),
    ...dropped.map(({ name }) => `edition ${name} is not configured any more`),
  ];
}

function recheckIsDue(config: Config, confirmed: Confirmed, probe: ProbeAnswer): boolean {
  if (probe.dateMs === null) return false;
  if (confirmed.checkedAtMs === null) return true;
  return probe.dateMs - confirmed.checkedAtMs >= config.source.recheckMs;
}

import type { Config } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import type { EditionEntry, Manifest } from "../../snapshot/manifest.js";
import type { State } from "../../snapshot/state.js";
import type { ProbeAnswer } from "../upstream/upstream.js";
import type { SpaceReading } from "./parts/part-reading.js";
import { type EditionSpec, editionSpecs, languagesOf, withTerms } from "./run/editions.js";
import { knownTaxonomies, type TaxonomyScope } from "./run/taxonomy-scope.js";

export interface DueWork {
  /** Why published stories and the other parts are read; empty: they are not. */
  published: string[];
  /** True if editions that no cv covers are read; they are at every sync. */
  unpinned: boolean;
  /** True if the same cv is read again: the addresses must bypass the edges' copies. */
  recheck: boolean;
}

/** What must be read, from the last confirmation, the probe and the settings. Pure. */
export function dueWork(options: {
  config: Config;
  specs: readonly EditionSpec[];
  previous: Manifest | undefined;
  /** Names of the damaged objects of the previous generation. */
  damaged?: readonly string[];
  state: Pick<State, "cv" | "checkedMs" | "partSettings" | "spaceProblems">;
  /** True if a second look at a recent reading is due. */
  lookIsDue?: boolean;
  probe: ProbeAnswer;
  full: boolean;
  /** Why a recheck is due early; undefined: it is not. */
  asked?: string | undefined;
  /** Replaces the server's time if the upstream sends none; milliseconds since the epoch. */
  nowMs: number;
}): DueWork {
  const { config, specs, previous, damaged = [], state, lookIsDue = false, probe, full, asked, nowMs } = options;
  const reasons: string[] = [];
  if (previous === undefined) reasons.push("first sync");
  if (full) reasons.push("--full");
  if (damaged.length > 0) reasons.push(`damaged: ${damaged.join(", ")}`);
  if (previous !== undefined && probe.cv === null) reasons.push("the upstream reports no cv");
  if (previous !== undefined && probe.cv !== null && probe.cv !== state.cv) {
    reasons.push(`cv moved from ${state.cv ?? "unknown"} to ${probe.cv}`);
  }
  if (previous !== undefined) reasons.push(...settingsChanges(specs, previous));
  const known = state.partSettings;
  if (previous !== undefined && known !== null && known !== partSettings(config)) {
    reasons.push("the settings of parts other than stories changed");
  }
  const hasKept = state.spaceProblems.some(({ code }) => code === "PART_KEPT");
  if (previous !== undefined && hasKept) reasons.push("a part could not be read the last time");
  if (previous !== undefined && lookIsDue) reasons.push("a second look at recent readings");
  const isDue = asked !== undefined || recheckIsDue(config, state.checkedMs.parts ?? null, probe.dateMs ?? nowMs);
  if (reasons.length === 0 && isDue) reasons.push(asked ?? "recheck is due");
  return {
    published: reasons,
    unpinned: specs.some(({ version }) => version === "draft"),
    recheck: previous !== undefined && probe.cv === (state.cv ?? previous.cv) && (isDue || full || lookIsDue),
  };
}

export function wasRead(spec: EditionSpec, previous: Manifest | undefined): EditionEntry | undefined {
  return previous?.editions.find(({ name, settings }) => name === spec.name && settings === spec.settings);
}

function settingsChanges(specs: readonly EditionSpec[], previous: Manifest): string[] {
  const changed = specs.filter((spec) => wasRead(spec, previous) === undefined).map(({ name }) => name);
  const dropped = previous.editions.filter(({ name }) => !specs.some((spec) => spec.name === name));
  return [
    ...changed.map((name) => `edition ${name} is new or has other settings`),
    ...dropped.map(({ name }) => `edition ${name} is no longer configured`),
  ];
}

/** Hash of the settings of the parts other than stories; contains no secret. */
export function partSettings({ source }: Config): string {
  const { startsWith, excludeSlugs, contentTypes, related, ...beside } = source.include;
  const management = source.management;
  const reads = management && [
    management.url,
    management.oauthUrl,
    management.spaceId,
    management.webhookEndpoints,
    management.token !== undefined,
    management.oauthToken !== undefined,
  ];
  return JSON.stringify([beside, reads ?? null]);
}

/** A time in the future comes from a clock that was wrong, then or now. It proves nothing, so a recheck is due. */
function recheckIsDue(config: Config, checkedAtMs: number | null, nowMs: number): boolean {
  if (checkedAtMs === null) return true;
  const ageMs = nowMs - checkedAtMs;
  return ageMs < 0 || ageMs >= config.source.recheckMs;
}

export interface Scope {
  specs: EditionSpec[];
  taxonomies: TaxonomyScope;
  space: SpaceReading | undefined;
  /** The space's languages besides the default one. Undefined if not requested or unusable. */
  listed?: readonly string[] | undefined;
  problems: Problem[];
}

/** The scope as known without a request: with the languages of the last generation. */
export function knownScope(config: Config, previous: Manifest | undefined): Scope {
  const { languages } = languagesOf(config, previous?.space.languages ?? []);
  const taxonomies = knownTaxonomies(config, previous);
  const specs = editionSpecs(config, languages).map((spec) => withTerms(spec, taxonomies));
  return { specs, taxonomies, space: undefined, problems: [] };
}

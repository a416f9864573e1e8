import type { Config } from "../../src/config/config.js";
import { calm, type Weather } from "../support/model-space/model-upstream.js";
import type { Random } from "../support/model-space/random.js";
import type { Dialect } from "../support/model-space/space-state.js";
import { type Regime, regimes } from "./regimes.js";

/** Everything about a history that is decided before it begins. */
export interface HistoryPlan {
  dialect: Dialect;
  stories: number;
  languages: number;
  versions: ("published" | "draft")[];
  releases: string[];
  syncs: number;
  /** The most writes before a sync, and while it runs. */
  writesBefore: number;
  writesMeanwhile: number;
  /** Milliseconds that the writes of a running sync are spread over. */
  writeWindowMs: number;
  edges: number;
  weather: Weather;
  concurrency: number;
  prefer: "requests" | "speed";
  recheckMs: number;
  maxStaleMs: number;
  shardBytes: number;
  retries: number;
  /** Share of the syncs in which the power fails. */
  crashShare: number;
  /** How often someone publishes, from the beginning to the end; undefined: never. */
  editorsEveryMs: number | undefined;
  /** Share of the writes that move no cv. */
  uncoveredShare: number;
  /** The longest time between two syncs. */
  longestGapMs: number;
  /** Whether stories name one another. */
  relates: boolean;
  /** Which stories are read; undefined: all. */
  include: Partial<Config["source"]["include"]> | undefined;
  /** Entries of the first datasource beyond two; undefined: none. */
  moreEntries?: number | undefined;
  /** Share of the writes that edit a list of any length other than stories; undefined: 0. */
  listEditShare?: number | undefined;
  /** Share of the writes that edit a term; undefined: the space has no taxonomies. */
  termEditShare?: number | undefined;
}

const hourMs = 3_600_000;

/**
 * Plans a history: 3 to 60 stories, two languages, faults in a third; some with all conditions that
 * make old copies meet new ones.
 */
export function planHistory(random: Random, regime: Regime): HistoryPlan {
  return regimes[regime](planSpace(random), random.stream(regime));
}

function planSpace(random: Random): HistoryPlan {
  const plan = planAny(random);
  if (!random.chance(0.15)) return plan;
  return {
    ...plan,
    dialect: { ...plan.dialect, cvBy: "redirect", longestLagMs: 1_500 },
    stories: random.int(3, 8),
    versions: ["published"],
    releases: [],
    syncs: 8,
    edges: 3,
    weather: { ...plan.weather, longestRequestMs: 20 },
    crashShare: 0.7,
  };
}

function planAny(random: Random): HistoryPlan {
  const versions = random.pick<HistoryPlan["versions"]>([
    ["published"],
    ["published"],
    ["published", "draft"],
    ["draft"],
  ]);
  const rechecks = random.chance(0.3);
  return {
    dialect: {
      cvBy: random.chance(0.85) ? "redirect" : "body",
      longestLagMs: random.pick([0, 1_500, 1_500, 1_500]),
      rootParent: random.pick([0, null]),
      startpageSlashInLinks: random.chance(0.5),
      translationsIndividually: random.chance(0.3),
      linkAlternates: random.chance(0.6),
      translatableSlugs: random.chance(0.5),
      savesShow: random.chance(0.4),
      totalOnLinks: random.chance(0.85),
      linksPageCap: random.pick([1000, 1000, 30, 14]),
      storiesPageCap: random.pick([100, 100, 25, 4]),
      datasourcesRedirect: !rechecks || random.chance(0.5),
      renamesTags: true,
      lags: {},
    },
    stories: random.chance(0.8) ? random.int(3, 16) : random.int(17, 60),
    languages: random.int(0, 2),
    versions,
    releases: versions.includes("draft") && random.chance(0.3) ? ["9001"] : [],
    syncs: random.int(2, 6),
    writesBefore: random.int(0, 4),
    writesMeanwhile: random.pick([0, 1, 2, 2, 4]),
    writeWindowMs: random.pick([500, 3_000, 6_000, 20_000]),
    edges: random.int(1, 3),
    weather: planWeather(random),
    concurrency: random.pick([1, 1, 1, 4]),
    prefer: random.pick(["requests", "requests", "speed"]),
    recheckMs: rechecks ? hourMs : 1_000 * hourMs,
    maxStaleMs: random.pick([hourMs, 60_000]),
    shardBytes: random.pick([2_048, 16_384, 524_288]),
    retries: random.int(0, 3),
    crashShare: random.chance(0.15) ? 0.4 : 0,
    editorsEveryMs: undefined,
    uncoveredShare: 0,
    longestGapMs: hourMs / 2,
    relates: false,
    include: undefined,
  };
}

function planWeather(random: Random): Weather {
  const others = random.chance(0.3);
  return {
    ...calm,
    faultShare: random.chance(0.33) ? random.pick([0.01, 0.04, 0.1]) : 0,
    otherClients: others ? random.pick([0.1, 0.5]) : 0,
    othersReadTheSame: others && random.chance(0.5),
    shuffled: random.chance(0.15) ? 0.3 : 0,
    longestRequestMs: random.pick([20, 60, 400]),
  };
}

/** How long nothing is synced, in milliseconds. */
export function planGap(random: Random, longestMs: number): number {
  const kind = random.next();
  if (kind < 0.5) return random.int(200, 4_000);
  if (kind < 0.85) return random.int(4_000, 60_000);
  return random.int(60_000, longestMs);
}

import type { Lags } from "../support/model-space/lags.js";
import { laggingParts } from "../support/model-space/lags.js";
import type { Random } from "../support/model-space/random.js";
import type { HistoryPlan } from "./history-plan.js";

/** The subject of a history: its plan is changed so that this happens. */
export type Regime = keyof typeof regimes;

/** Every regime. `plain` is the space as it mostly is. */
export const regimes = {
  plain: (plan: HistoryPlan): HistoryPlan => plan,
  /** The parts of the interface lag behind one another, by up to 30 s. */
  lag: (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    dialect: { ...plan.dialect, lags: planLags(random, random.pick([1_000, 2_000, 5_000, 10_000, 30_000])) },
    ...lagging(plan, random),
  }),
  /** `Total` is wrong for some seconds. */
  totals: (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    dialect: { ...plan.dialect, linksPageCap: random.pick([1000, 30, 14, 5]) },
    weather: { ...plan.weather, wrongTotals: random.pick([0.1, 0.3]) },
    crashShare: 0,
  }),
  /** A page of the index is empty for some seconds. */
  "empty-pages": (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    dialect: { ...plan.dialect, totalOnLinks: random.chance(0.5), linksPageCap: random.pick([30, 14, 5]) },
    stories: random.int(12, 60),
    weather: { ...plan.weather, emptyPages: random.pick([0.1, 0.3]) },
    crashShare: 0,
  }),
  /**
   * Someone publishes every few seconds, and a reading round takes longer than that. Page sizes are
   * those of the published interface: nothing is promised for an upstream without `Total`, or with
   * pages of five rows.
   */
  editors: (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    dialect: {
      ...plan.dialect,
      totalOnLinks: true,
      linksPageCap: random.pick([1000, 30, 14]),
      storiesPageCap: random.pick([100, 25]),
    },
    versions: ["published"],
    releases: [],
    stories: random.int(20, 60),
    syncs: random.int(3, 6),
    writesBefore: 0,
    writesMeanwhile: 0,
    editorsEveryMs: random.pick([3_000, 5_000, 10_000, 30_000]),
    longestGapMs: 300_000,
    weather: { ...plan.weather, faultShare: 0, otherClients: 0, shuffled: 0, longestRequestMs: 350 },
    maxStaleMs: 3_600_000,
    crashShare: 0,
  }),
  related: (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    // If not all of a space is read, tag counts cannot show that a tag was renamed to an existing
    // one.
    dialect: { ...plan.dialect, renamesTags: false },
    relates: true,
    releases: [],
    include: {
      related: true,
      ...random.pick([
        { contentTypes: ["article"] },
        { excludeSlugs: ["slug-1*", "*/slug-2*"] },
        { startsWith: ["folder-", "slug-2", "slug-3"] },
        { contentTypes: ["article"], excludeSlugs: ["slug-1*"] },
      ]),
    },
  }),
  /** Parts other than stories are edited without a new cv, and edges cache them. */
  beside: (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    dialect: { ...plan.dialect, datasourcesRedirect: random.chance(0.5) },
    recheckMs: 3_600_000,
    uncoveredShare: 0.5,
    crashShare: 0,
  }),
  /**
   * A story appears up to 30 s after its row, and a sync runs in that time, often with a second
   * look due.
   */
  "late-stories": (plan: HistoryPlan, random: Random): HistoryPlan => {
    const longestMs = random.pick([5_000, 10_000, 30_000]);
    const lag = { longestMs, steady: true };
    return {
      ...plan,
      dialect: { ...plan.dialect, longestLagMs: 0, lags: { batches: lag, pages: lag } },
      edges: random.pick([1, 1, 2]),
      ...lagging(plan, random),
      writesMeanwhile: 0,
      longestGapMs: random.pick([70_000, 180_000]),
    };
  },
  /**
   * A batch of a language has an empty answer, once, and in a later sync sometimes twice in a row.
   */
  "empty-translations": (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    languages: random.int(1, 2),
    concurrency: 1,
    dialect: { ...plan.dialect, storiesPageCap: 100 },
    weather: {
      ...plan.weather,
      emptyTranslations: random.pick([0.1, 0.3]),
      emptyTwice: true,
      faultShare: 0,
      otherClients: 0,
    },
    crashShare: 0,
  }),
  /** Some answers come from an origin that lags behind, which their cv shows. */
  "stale-origins": (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    versions: ["published"],
    releases: [],
    weather: { ...plan.weather, staleOrigins: random.pick([0.1, 0.3]), faultShare: 0, otherClients: 0 },
    crashShare: 0,
  }),
  /**
   * Every list has pages smaller than requested, and some servers do not send their size. Nothing
   * is promised for pages so small that there are hardly any sizes below them.
   */
  "capped-lists": (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...withLongLists(plan, random),
    dialect: {
      ...plan.dialect,
      listsPageCap: random.pick([50, 100]),
      hidesPerPage: random.chance(0.5),
      totalOnLinks: true,
      linksPageCap: random.pick([1000, 30, 14]),
      storiesPageCap: random.pick([100, 7]),
      datasourcesRedirect: random.chance(0.7),
    },
  }),
  /** An answer about a list other than stories is empty, once. */
  "empty-lists": (plan: HistoryPlan, random: Random): HistoryPlan => {
    const longer = withLongLists(plan, random);
    return { ...longer, weather: { ...longer.weather, emptyLists: random.pick([0.05, 0.2]) } };
  },
  /** An origin that lags behind answers some requests for other lists, at its own cv. */
  "older-lists": (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...withLongLists(plan, random),
    dialect: {
      ...plan.dialect,
      olderOrigin: {
        share: random.pick([0.1, 0.3]),
        behindMs: random.pick([3_000, 20_000, 120_000]),
        parts: ["datasources"],
      },
    },
  }),
  /** The other lists lag, and edges keep their late answers. */
  "late-lists": (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...withLongLists(plan, random),
    dialect: {
      ...plan.dialect,
      listsPageCap: random.pick([1_000, 50, 100]),
      hidesPerPage: random.chance(0.5),
      totalOnLinks: true,
      datasourcesRedirect: true,
      lags: { datasources: { longestMs: random.pick([5_000, 20_000]), steady: random.chance(0.5) } },
    },
    edges: random.int(1, 2),
    longestGapMs: 180_000,
  }),
  /** Terms are assigned, renamed, moved and archived without a publish, with or without a new cv. */
  taxonomies: (plan: HistoryPlan, random: Random): HistoryPlan => {
    const movesCv = random.chance(0.5);
    const taxonomies = { movesCv, treesNameStories: random.chance(0.7), refusesParameter: random.chance(0.1) };
    return {
      ...plan,
      dialect: { ...plan.dialect, taxonomies },
      versions: ["published"],
      releases: [],
      weather: { ...plan.weather, otherClients: 0, shuffled: 0, faultShare: 0 },
      termEditShare: 0.5,
    };
  },
  /** A minimum cache time holds the cv back for up to a minute; publishes show at once. */
  "held-cv": (plan: HistoryPlan, random: Random): HistoryPlan => ({
    ...plan,
    dialect: { ...plan.dialect, cvBy: "redirect", longestLagMs: random.pick([20_000, 60_000]), holdsCv: true },
    versions: ["published"],
    releases: [],
    writesMeanwhile: random.pick([1, 2, 4]),
    writeWindowMs: random.pick([500, 3_000]),
    weather: { ...plan.weather, otherClients: 0, shuffled: 0, faultShare: 0 },
    crashShare: 0,
  }),
} as const;

/** Long lists other than stories, edited with and without a new cv. */
function withLongLists(plan: HistoryPlan, random: Random): HistoryPlan {
  return {
    ...plan,
    weather: { ...plan.weather, otherClients: 0, shuffled: 0, faultShare: 0 },
    moreEntries: random.pick([random.int(0, 20), random.int(40, 160)]),
    listEditShare: 0.5,
    recheckMs: 3_600_000,
    crashShare: 0,
  };
}

/** The regime of a name. @throws Error with the known names */
export function regimeNamed(name: string): Regime {
  if (Object.hasOwn(regimes, name)) return name as Regime;
  throw new Error(`No regime ${name}; there are ${Object.keys(regimes).join(", ")}`);
}

function lagging(plan: HistoryPlan, random: Random): Partial<HistoryPlan> {
  return {
    weather: { ...plan.weather, otherClients: 0, shuffled: 0, faultShare: 0 },
    syncs: random.int(3, 8),
    longestGapMs: 180_000,
    writesMeanwhile: random.pick([1, 2, 4]),
    writeWindowMs: random.pick([3_000, 6_000, 20_000]),
    crashShare: 0,
  };
}

function planLags(random: Random, longestMs: number): Lags {
  const steps = [0, 1_000, 2_000, 5_000, 10_000, 30_000].filter((ms) => ms <= longestMs);
  const steady = random.chance(0.5);
  return Object.fromEntries(
    laggingParts.map((part) => [part, { longestMs: random.pick(steps), steady: steady && part !== "cv" }]),
  );
}

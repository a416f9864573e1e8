import { mapBounded } from "../../src/lib/concurrency/map-bounded.js";
import { UpstreamError } from "../../src/lib/http/upstream-error.js";
import { baseEdition } from "../../src/snapshot/manifest.js";
import type { Store } from "../../src/snapshot/store/store.js";
import { diffIndex, rowsToCompare } from "../../src/sync/crawl/index/diff.js";
import { termsByStory } from "../../src/sync/crawl/parts/taxonomies.js";
import type { CrawlRules } from "../../src/sync/crawl/rules.js";
import { coversInterval } from "../../src/sync/crawl/run/interval.js";
import { createPin, type Pin } from "../../src/sync/crawl/run/pin.js";
import { closingProbe } from "../../src/sync/crawl/run/probes.js";
import { askEdition } from "../../src/sync/crawl/stories/ask-editions.js";
import { decidingBatches } from "../../src/sync/crawl/stories/batches.js";
import { neighbourIds } from "../../src/sync/crawl/stories/decision-rules.js";
import { relatedStories } from "../../src/sync/crawl/stories/related-stories.js";
import { judge } from "../../src/sync/crawl/stories/verdict.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import type { Answer, Page } from "../../src/sync/upstream/answer.js";
import type { Upstream } from "../../src/sync/upstream/upstream.js";
import type { Sync } from "./history.js";
import type { Regime } from "./regimes.js";

/** A planted bug: a rule that is missing or wrong. */
export interface Mutant {
  name: string;
  /** Sync options with the bug; called once per history, so that it may keep state. */
  plant(): (options: SyncOptions) => SyncOptions;
  /**
   * A history in which it breaks a property, which is tried first: the next one may be hundreds
   * away.
   */
  seed: number;
  /** How often to run that history at most, if the order of answers matters; default: once. */
  tries?: number;
  regime: Regime;
}

/** The rules that the exactness of a sync rests on, each removed in turn. */
export const mutants: readonly Mutant[] = [
  rule("cv is not checked: redirects and other cvs do not taint a round", 28, {
    createPin: (cv, pacing) => withoutReasons(createPin(cv, pacing), "the space moved"),
    closingVersion: async () => undefined,
    closingProbe: async (...args) => ({ ...(await closingProbe(...args)), cv: args[1].cv }),
  }),
  rule("no closing probe", 7, {
    closingProbe: async (_upstream, pin) => ({ cv: pin.cv, dateMs: null, total: null }),
  }),
  rule("the closing probe does not wait", 7, {
    closingProbe: (upstream, pin, pacing) => closingProbe(upstream, pin, pacing, 0),
  }),
  rule("a redirect is followed at once", 275, {
    createPin: (cv, pacing) => withoutReasons(createPin(cv, { ...pacing, sleep: async () => {} }), "the space moved"),
    closingProbe: async (...args) => ({ ...(await closingProbe(...args)), cv: args[1].cv }),
  }),
  {
    // A second look finds the effects of this bug alone. It is skipped if nothing is expected to
    // lag.
    name: "a cv is read at before it is two seconds old, and nobody looks again",
    seed: 898,
    regime: "plain",
    plant: () => (options) => ({
      ...options,
      config: { ...options.config, source: { ...options.config.source, settleMs: 0 } },
      rules: {
        openingProbe: async (_upstream, first) => ({ probe: first, immature: false }),
        closingProbe: (upstream, pin, pacing) => closingProbe(upstream, pin, pacing, 2_000),
      },
    }),
  },
  {
    name: "the probe carries the cv of before",
    seed: 1,
    regime: "plain",
    plant: () => {
      let lastCv: number | null = null;
      const upstream = (real: Upstream): Upstream => ({
        ...real,
        async probe() {
          const query = { version: "published", per_page: 1, ...(lastCv === null ? {} : { cv: lastCv }) } as const;
          const answer = await real.stories(query, { priority: 1_000 });
          lastCv = answer.cv;
          return { cv: answer.cv, dateMs: answer.dateMs, total: answer.kind === "served" ? answer.body.total : null };
        },
      });
      return (options) => ({ ...options, rules: { upstream } });
    },
  },
  // The requests matter if an edge's index lacks an existing story. That is too rare here;
  // test/sync/crawl/round.test.ts covers it. This bug breaks what the neighbours say about vanished
  // stories.
  rule("vanished stories are removed without being asked for, their neighbours neither", 0, {
    askEdition: (ask, edition, uuids) =>
      askEdition(
        ask,
        edition,
        uuids.filter((uuid) => ask.index.has(uuid)),
      ),
    neighbourIds: (before, now) => (now === undefined ? [] : neighbourIds(before, now)),
  }),
  rule("vanished stories are not looked at", 0, {
    decidingBatches: (editions, diff, size, audit) => decidingBatches(editions, { ...diff, vanished: [] }, size, audit),
  }),
  rule("rows are compared by their dates only", 9, {
    diffIndex: (known, index, isKnown) => {
      const diff = diffIndex(known, index, isKnown);
      const changed = [...diff.changed].filter((uuid) => {
        const before = known.get(uuid)?.text;
        return !before || JSON.parse(before).published_at !== JSON.parse(index.get(uuid)?.text ?? "{}").published_at;
      });
      return { ...diff, changed };
    },
  }),
  rule("an answer counts whatever its row is", 470, { judge: () => ({ kind: "fits" }) }),
  rule("neighbours in a group are not asked for", 0, { neighbourIds: () => [] }),
  {
    // The effect depends on which of two concurrent answers comes first: four times in five.
    name: "a neighbour counts as read once it is to be asked for",
    seed: 70,
    regime: "totals",
    tries: 8,
    plant: () => (options) => ({
      ...options,
      config: { ...options.config, queue: { ...options.config.queue, concurrency: 1 } },
      rules: { isReadAnyway: (uuid, { asked }) => asked.has(uuid) },
    }),
  },
  rule("renamed tags are not looked for", 53, { unexplainedTags: () => [] }),
  rule("stories whose terms changed are not looked for", 0, { storiesWithOtherTerms: () => [] }, "taxonomies"),
  rule(
    "the trees count as naming stories whatever they have",
    3,
    { termsByStory: (trees) => termsByStory(trees) ?? new Map() },
    "taxonomies",
  ),
  // A list that is suddenly empty is requested again, which finds most effects of this bug alone.
  rule("a 404 is taken as an empty page, and believed at once", 457, {
    upstream: (real) => emptyWhereNotFound(real),
    isMuchShorter: () => false,
  }),
  rule("a batch that fails is left out", 199, {
    askBatches: (batches, concurrency, ask) =>
      mapBounded(batches, concurrency, (batch, index) => ask(batch, index).catch(() => undefined as never)),
  }),
  rule("the rows of the index are not counted by uuid", 135, { pagesShifted: () => false }),
  rule("a story whose row was taken away is forgotten when it vanishes", 80, {
    rowsToCompare: (input) => rowsToCompare({ ...input, pending: [] }),
  }),
  rule(
    "what a translation names is not looked at",
    45,
    { relatedStories: (parts, reader, editions) => relatedStories(parts, reader, [baseEdition(editions)]) },
    "related",
  ),
  rule(
    "stories that nobody names any more are kept",
    2,
    {
      async relatedStories(...args) {
        const found = await relatedStories(...args);
        return { ...found, named: new Set([...found.named, ...found.held]) };
      },
    },
    "related",
  ),
  rule(
    "what was left out for its type is not asked for when it is named",
    0,
    {
      async relatedStories(...args) {
        const found = await relatedStories(...args);
        return { ...found, included: new Set([...found.included, ...found.named]) };
      },
    },
    "related",
  ),
  rule("the second look asks for nothing", 30, { storiesToLookAt: async () => new Set() }, "lag"),
  rule(
    "an interval keeps a record that did not fit its row",
    29,
    { coversInterval: (done) => coversInterval({ ...done, isRead: true }) },
    "editors",
  ),
  rule(
    "a story that never came counts as looked at",
    84,
    { isSeenAgain: () => true, isMissing: () => false },
    "late-stories",
  ),
  rule("a sync after one that was kept asks under the same addresses", 1, { roundsTried: () => 0 }, "late-stories"),
  rule(
    "a translation that is missing is believed at once",
    9,
    {
      askEditions: ({ rules, ...ask }, { editions, uuids }) =>
        Promise.all(editions.map((edition) => rules.askEdition(ask, edition, uuids))),
    },
    "empty-translations",
  ),
  rule("a translation that is missing twice is believed", 4, { hasLostRecord: () => false }, "empty-translations"),
  rule(
    "what an answer of an older cv brought is kept",
    156,
    { judge: (answer, view) => judge({ ...answer, isOutdated: false }, view) },
    "stale-origins",
  ),
  rule(
    "what an answer of another cv brought beside the stories counts as read",
    34,
    { partsAreRead: (parts, cv) => parts !== undefined && parts.cv === cv },
    "older-lists",
  ),
  rule("an empty list beside the stories is believed at once", 0, { isMuchShorter: () => false }, "empty-lists"),
  rule("two readings of a list of several pages are not compared", 88, { sameRecords: () => true }, "capped-lists"),
  rule("pages that are capped are asked for in the server's size", 51, { sizeBelowCap: (cap) => cap }, "capped-lists"),
  rule(
    "a cv that is held back is compared with the space's version at the beginning only",
    4,
    { closingVersion: async () => undefined },
    "held-cv",
  ),
  {
    name: "the generation is named before its objects are durable",
    seed: 38,
    regime: "plain",
    plant: () => (options) => {
      const { output } = options;
      return output === undefined ? options : { ...options, output: { ...output, store: lateFlush(output.store) } };
    },
  },
];

function rule(name: string, seed: number, rules: Partial<CrawlRules>, regime: Regime = "plain"): Mutant {
  return { name, seed, regime, plant: () => (options) => ({ ...options, rules }) };
}

export function mutated(mutant: Mutant, sync: Sync): Sync {
  const plant = mutant.plant();
  return (options) => sync(plant(options));
}

function withoutReasons(pin: Pin, beginning: string): Pin {
  const reasons = { get: () => pin.reasons.filter((reason) => !reason.startsWith(beginning)) };
  return Object.create(pin, { reasons }) as Pin;
}

function emptyWhereNotFound(real: Upstream): Upstream {
  const empty = <A extends unknown[]>(read: (...args: A) => Promise<Answer<Page<never>>>) =>
    ((...args: A) =>
      read(...args).catch((error: unknown) => {
        if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
        return { kind: "served", dateMs: null, cv: null, body: { records: [], total: 0, perPage: null } };
      })) as never;
  return {
    ...real,
    stories: empty(real.stories as never),
    links: empty(real.links as never),
    tags: empty(real.tags as never),
    datasources: empty(real.datasources as never),
    datasourceEntries: empty(real.datasourceEntries as never),
    experiments: empty(real.experiments as never),
  };
}

/** Makes objects durable after the pointer is written, not before the manifest that names them. */
function lateFlush(store: Store): Store {
  return {
    ...store,
    async flush() {},
    async replace(name, bytes) {
      await store.replace(name, bytes);
      await store.flush();
    },
  };
}

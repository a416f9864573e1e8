import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import type { Upstream } from "../upstream/upstream.js";
import { sizeBelowCap } from "../upstream/varied-pages.js";
import { diffIndex, rowsToCompare } from "./index/diff.js";
import { pagesShifted } from "./index/sweep-links.js";
import { partsAreRead } from "./parts/other-parts.js";
import { isMuchShorter, sameRecords } from "./parts/read-list.js";
import { closingVersion } from "./parts/read-space-record.js";
import { coversInterval, roundsTried } from "./run/interval.js";
import { createPin } from "./run/pin.js";
import { closingProbe, matureProbe } from "./run/probes.js";
import { askEdition, askEditions } from "./stories/ask-editions.js";
import { decidingBatches } from "./stories/batches.js";
import { hasLostRecord, isMissing, isReadAnyway, neighbourIds } from "./stories/decision-rules.js";
import { isSeenAgain, storiesToLookAt } from "./stories/read-log.js";
import { relatedStories } from "./stories/related-stories.js";
import { unexplainedTags } from "./stories/tags.js";
import { judge } from "./stories/verdict.js";

/**
 * The rules that the exactness of a crawl rests on, each a function. The crawl calls them through this record, so that
 * the simulation can plant a bug by replacing one, and has to find it.
 */
export const crawlRules = {
  /** What is read from: by the whole sync, its first probe included. */
  upstream: (upstream: Upstream): Upstream => upstream,
  /** A cv is read at once it is two seconds old. */
  openingProbe: matureProbe,
  /** Every read is answered at one cv; a redirect is not followed. */
  createPin,
  /** The cv is looked at once more, after the space had time to move it. */
  closingProbe,
  /** The space's own version is compared with the cv at the end, too. */
  closingVersion,
  /** The rows of an index are counted by uuid. */
  pagesShifted,
  /** A story that is staged without its row is asked for, and shows where it has vanished. */
  rowsToCompare,
  /** Rows are compared whole. */
  diffIndex,
  /** Added, changed and vanished stories are asked for. */
  decidingBatches,
  /** Every one of them is asked for, in every language. */
  askEdition,
  /** A translation that is missing without a reason is asked for again under another address. */
  askEditions,
  /** A request that fails ends the round: a batch that is left out would look like stories that are as they were. */
  askBatches: mapBounded,
  /** A record counts when it fits its row. */
  judge,
  /** What an earlier sync has read is looked at again under the row that it was read under. */
  isSeenAgain,
  /** A listed story that the default language lacks is looked at until it comes. */
  isMissing,
  /** A record that an edition has lost without a reason in the index is asked for again. */
  hasLostRecord,
  /** Neighbours in a group are asked for with a story that differs. */
  neighbourIds,
  /** One of them that is asked for already still counts as unread until its answer is there. */
  isReadAnyway,
  /** Stories with a renamed tag are looked for. */
  unexplainedTags,
  /** Stories that others name are wanted too, and no longer than they are named. */
  relatedStories,
  /** What was read lately is asked for once more. */
  storiesToLookAt,
  /** After a sync that kept the previous generation, the next one asks under other addresses. */
  roundsTried,
  /** A reading of a space that keeps changing counts once every story was read. */
  coversInterval,
  /** What lies beside the stories is read once at a cv, and again where an answer was of another one. */
  partsAreRead,
  /** A list beside the stories that is suddenly empty, or much shorter, is asked for again. */
  isMuchShorter,
  /** Two readings of a list of several pages show the same records. */
  sameRecords,
  /** Where a server's pages are smaller than what is asked for, every variation asks for still smaller ones. */
  sizeBelowCap,
} as const;

export type CrawlRules = typeof crawlRules;

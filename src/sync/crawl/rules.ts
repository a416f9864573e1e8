import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { sizeBelowCap } from "../upstream/pages.js";
import type { Upstream } from "../upstream/upstream.js";
import { diffIndex, rowsToCompare } from "./index/diff.js";
import { pagesShifted } from "./index/sweep-links.js";
import { partsAreRead } from "./parts/part-reading.js";
import { isMuchShorter, sameRecords } from "./parts/read-list.js";
import { closingVersion } from "./parts/read-space-record.js";
import { storiesWithOtherTerms, termsByStory } from "./parts/taxonomies.js";
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

/** The exactness of a crawl rests on these. The simulation plants a bug by replacing one, and must find it. */
export const crawlRules = {
  /** What the whole sync reads from, including its first probe. */
  upstream: (upstream: Upstream): Upstream => upstream,
  /** A cv is read at only once it is two seconds old. */
  openingProbe: matureProbe,
  /** Every read is answered at one cv; redirects are not followed. */
  createPin,
  /** The cv is checked again after the space had time to move it. */
  closingProbe,
  /** The space's own version is compared with the cv at the end, too. */
  closingVersion,
  /** The rows of an index are counted by uuid. */
  pagesShifted,
  /** A story that is staged without its row is requested, or counts as vanished. */
  rowsToCompare,
  diffIndex,
  decidingBatches,
  /** Every one of them is requested, in every language. */
  askEdition,
  /** A translation that is missing without a reason is requested again under another address. */
  askEditions,
  /** A failed request ends the round: a skipped batch would look like unchanged stories. */
  askBatches: mapBounded,
  /** A record counts if it fits its row. */
  judge,
  /** A story of an earlier reading is checked under the row that it was read under. */
  isSeenAgain,
  /** A listed story that the default language lacks is checked until it comes. */
  isMissing,
  /** A record that an edition has lost without a reason in the index is requested again. */
  hasLostRecord,
  /** Group neighbours are requested along with a story that differs. */
  neighbourIds,
  /** A requested neighbour counts as unread until its answer is there. */
  isReadAnyway,
  unexplainedTags,
  /** What the trees of taxonomies say of stories, and which of these say something else now. */
  termsByStory,
  storiesWithOtherTerms,
  /** Stories that others name are wanted, too, for as long as they are named. */
  relatedStories,
  /** Recently read stories are requested again. */
  storiesToLookAt,
  /** After a sync that kept the previous generation, the next one uses other addresses. */
  roundsTried,
  /** A reading of a space that keeps changing counts once every story was read. */
  coversInterval,
  /** The other parts are read once at a cv, and again if an answer was of another one. */
  partsAreRead,
  /** A list that is suddenly empty, or much shorter, is requested again. */
  isMuchShorter,
  /** Two readings of a list of several pages have the same records. */
  sameRecords,
  /** If a server's pages are smaller than requested, every variation is smaller still. */
  sizeBelowCap,
} as const;

export type CrawlRules = typeof crawlRules;

import type { Config } from "../../config/config.js";
import type { OffprintError } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { SecondLook } from "../../snapshot/state.js";
import type { Store } from "../../snapshot/store/store.js";
import type { ProbeAnswer, Upstream } from "../upstream/upstream.js";
import type { DueWork } from "./due.js";
import type { SpaceReading } from "./parts/read-space-record.js";
import type { CrawlRules } from "./rules.js";
import type { EditionSpec } from "./run/editions.js";
import type { Pacing } from "./run/pin.js";
import type { OnProgress } from "./run/progress.js";

/** What a crawl starts from. Nothing of it changes while the crawl runs. */
export interface CrawlContext {
  config: Config;
  upstream: Upstream;
  store: Store;
  pacing: Pacing;
  previous: Manifest | undefined;
  probe: ProbeAnswer;
  due: DueWork;
  specs: readonly EditionSpec[];
  /** What the space says about itself, read just before; undefined where nothing that cv covers is due. */
  space: SpaceReading | undefined;
  /**
   * By edition, how many stories are asked for once more after the crawl, for what the upstream knows of their assets:
   * the plan counts them. Empty where that is not wanted.
   */
  askedForAssets: readonly number[];
  /** What earlier syncs have read, and this one looks at once more. */
  looks: readonly SecondLook[];
  /** Where the cyclic audit of each version stopped. */
  auditCursor: Readonly<Record<string, string>>;
  /** Wait before the closing probe, in milliseconds. */
  settleMs: number;
  full: boolean;
  /** Called where an empty answer would remove all stories. @throws OffprintError what it is given, unless it is believed */
  brake: (stop: OffprintError) => void;
  /** Stop after planning. */
  dryRun: boolean;
  onProgress: OnProgress;
  /** Replaced by the simulation, to plant bugs. */
  rules?: Partial<CrawlRules> | undefined;
}

/** When the crawl began, or the interrupted one that it goes on from. */
export interface CrawlStart {
  /** Everything that is staged was read at this cv or a later one. */
  cv: number | null;
  /** ISO 8601. */
  at: string;
  /**
   * Where an unmoved cv is read at again, seconds since the epoch: it makes every address a new one to the edges, which
   * may have copies at this cv. Else 0.
   */
  variation: number;
  /**
   * The same for what lies beside the stories, where a sync before this one came to no clean reading: the edges may have late
   * answers to all that it asked. Else 0.
   */
  partsVariation: number;
  /** So many rows less than it could a page of the first sweep has, for the same reason. */
  sweepVariation: number;
  /** Rounds that earlier syncs took at this cv, none of them clean: their addresses may be answered by an edge. */
  tried: number;
}

import type { Config } from "../../config/config.js";
import type { Manifest, PartEntry } from "../../snapshot/manifest.js";
import type { SecondLook } from "../../snapshot/state.js";
import type { Store } from "../../snapshot/store/store.js";
import type { ProbeAnswer, Upstream } from "../upstream/upstream.js";
import type { DueWork } from "./due.js";
import type { OtherParts, SpaceReading } from "./parts/part-reading.js";
import type { CrawlRules } from "./rules.js";
import type { BatchSize } from "./run/batch-size.js";
import type { EditionSpec } from "./run/editions.js";
import type { Pacing, Pin } from "./run/pin.js";
import type { PinnedUpstream } from "./run/pinned-upstream.js";
import type { OnProgress, RemovalStop } from "./run/progress.js";
import type { TaxonomyScope } from "./run/taxonomy-scope.js";
import type { Workspace } from "./run/workspace.js";
import type { RelationReader } from "./stories/related-stories.js";
import type { StoryLedger } from "./stories/story-ledger.js";

export interface CrawlContext {
  config: Config;
  upstream: Upstream;
  store: Store;
  pacing: Pacing;
  previous: Manifest | undefined;
  probe: ProbeAnswer;
  due: DueWork;
  specs: readonly EditionSpec[];
  /** The space's own record, read just before; undefined if nothing that cv covers is due. */
  space: SpaceReading | undefined;
  taxonomies: TaxonomyScope;
  /** Stories requested again for asset metadata, by edition. Empty: not configured. */
  askedForAssets: readonly number[];
  /** Earlier readings that this crawl checks again. */
  looks: readonly SecondLook[];
  auditCursor: Readonly<Record<string, string>>;
  /** Wait before the closing probe, in milliseconds. */
  settleMs: number;
  full: boolean;
  /** Called if an empty answer would remove all stories. Throws unless removals are forced. */
  brake: (stop: RemovalStop) => void;
  dryRun: boolean;
  onProgress: OnProgress;
  /** The simulation plants bugs with these. */
  rules?: Partial<CrawlRules> | undefined;
}

/** When the crawl began, or the interrupted one that it continues. */
export interface CrawlStart {
  /** All staged data was read at this cv or a later one. */
  cv: number | null;
  /** ISO 8601. */
  at: string;
  /** If the cv is read again: seconds since the epoch, for addresses new to the edges. Else 0. */
  variation: number;
  /** The same for parts other than stories, after a sync without a clean reading. Else 0. */
  partsVariation: number;
  /** How many rows the pages of the first sweep are below the maximum, for the same reason. */
  sweepVariation: number;
}

/** A running crawl. Its rounds write to the workspace, the ledgers and the other parts. */
export interface CrawlRun {
  readonly context: CrawlContext & { readonly rules: CrawlRules };
  readonly began: CrawlStart;
  readonly workspace: Workspace;
  /** One for each configured version, due or not. */
  readonly ledgers: readonly StoryLedger[];
  readonly batchSize: BatchSize;
  parts: OtherParts | undefined;
  relations: Promise<RelationReader> | undefined;
  /** The trees that the staged stories were read with; undefined before any are known. */
  termsBaseline: PartEntry | undefined;
  /** The space's own version after the last round that was clean so far, if requested. */
  closingVersion: number | null | undefined;
  /** The cv that the last round began at, and the rounds at that cv, also of earlier syncs. */
  tried: { cv: number | null; rounds: number };
}

export interface Round {
  /** Number of earlier rounds. Varies the addresses: no edge serves the same old copy twice. */
  number: number;
  pin: Pin;
  pinned: PinnedUpstream;
}

export function releaseEditions({ specs }: CrawlContext): EditionSpec[] {
  return specs.filter(({ release }) => release !== null);
}

import type { Config } from "../../config/config.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { SecondLook } from "../../snapshot/state.js";
import type { Store } from "../../snapshot/store/store.js";
import type { RemovalStop } from "../removals.js";
import type { ProbeAnswer, Upstream } from "../upstream/upstream.js";
import type { DueWork } from "./due.js";
import type { OtherParts } from "./parts/other-parts.js";
import type { SpaceReading } from "./parts/read-space-record.js";
import type { CrawlRules } from "./rules.js";
import type { BatchSize } from "./run/batch-size.js";
import type { EditionSpec } from "./run/editions.js";
import type { Pacing, Pin } from "./run/pin.js";
import type { PinnedUpstream } from "./run/pinned-upstream.js";
import type { OnProgress } from "./run/progress.js";
import type { Workspace } from "./run/workspace.js";
import type { RelationReader } from "./stories/related-stories.js";
import type { StoryLedger } from "./stories/story-ledger.js";

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
  /** For the plan: by edition, how many stories are asked for once more, for asset metadata. Empty: it is not wanted. */
  askedForAssets: readonly number[];
  /** What earlier syncs have read, and this one looks at once more. */
  looks: readonly SecondLook[];
  /** Where the cyclic audit of each version stopped. */
  auditCursor: Readonly<Record<string, string>>;
  /** Wait before the closing probe, in milliseconds. */
  settleMs: number;
  full: boolean;
  /** Called where an empty answer would remove all stories. @throws OffprintError what it is given, unless it is believed */
  brake: (stop: RemovalStop) => void;
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
  /** Where an unmoved cv is read at again, seconds since the epoch: the edges may have copies at every old address. Else 0. */
  variation: number;
  /** The same beside the stories, after a sync without a clean reading: the edges may have late answers to it. Else 0. */
  partsVariation: number;
  /** So many rows less than it could a page of the first sweep has, for the same reason. */
  sweepVariation: number;
}

/** One crawl while it runs. What its rounds find out stands in the workspace, the ledgers and the other parts. */
export interface CrawlRun {
  readonly context: CrawlContext & { readonly rules: CrawlRules };
  readonly began: CrawlStart;
  readonly workspace: Workspace;
  /** One for each version that is configured, read now or not. */
  readonly ledgers: readonly StoryLedger[];
  /** How many stories a request asks for; an answer that is too large makes it smaller. */
  readonly batchSize: BatchSize;
  /** What is beside the stories, as last read; undefined before. */
  parts: OtherParts | undefined;
  /** Who names whom, where `source.include.related` asks; undefined before. */
  relations: Promise<RelationReader> | undefined;
  /** The space's own version after the last round that was clean so far; undefined where it was not asked for. */
  closingVersion: number | null | undefined;
  /** The cv that the last round began at, and all rounds so far, with those of earlier syncs at that cv. */
  tried: { cv: number | null; rounds: number };
}

/** One round of a crawl. */
export interface Round {
  /** Rounds before this one. It varies the addresses, so that no edge answers twice with the same old copy. */
  number: number;
  pin: Pin;
  pinned: PinnedUpstream;
}

/** Editions that no index shows. */
export function releaseEditions({ specs }: CrawlContext): EditionSpec[] {
  return specs.filter(({ release }) => release !== null);
}

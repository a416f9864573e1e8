import type { Config } from "../config/config.js";
import type { OpenAgent } from "../lib/http/http-agent.js";
import type { StoryChanges } from "../snapshot/compare-stories.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Output } from "../snapshot/output.js";
import type { CrawlRules } from "./crawl/rules.js";
import type { Pacing } from "./crawl/run/pin.js";
import type { OnProgress } from "./crawl/run/progress.js";
import type { Connections } from "./upstream/connections.js";

export interface SyncOptions {
  config: Config;
  /** Where the source answers when its configured address is a name (`demo:`), and hosts that stand for other origins. */
  source?: { url: string; hostMap: Readonly<Record<string, string>> } | undefined;
  /** Confirm every record, whatever the index shows. */
  full?: boolean | undefined;
  /**
   * Why what cv may not cover (datasources, tags, assets …) is read now, though `source.recheck` has not passed: `webhook
   * asset.created 7`. undefined: no reason.
   */
  recheck?: string | undefined;
  /** Remove what is gone upstream, however much it is. */
  forceRemove?: boolean | undefined;
  /** Replace the snapshot of another space. */
  replace?: boolean | undefined;
  /** Plan only: nothing is written. */
  dryRun?: boolean | undefined;
  /** Where the snapshot lies; default: what `config.output` names. */
  output?: Output | undefined;
  /**
   * Called before this sync takes the lock, or reads more than the probe, which waits for it: where many spaces are synced,
   * a few of them work at a time, and all that have nothing to do need no turn. It may be called more than once.
   */
  admit?: (() => Promise<void>) | undefined;
  /** How time passes for waits and retries; default: as it does. */
  pacing?: Pacing | undefined;
  /** For proxies. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Opens the connections that go through no proxy; default: undici's `Agent`. */
  openAgent?: OpenAgent | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
  /**
   * Called once for each generation that this sync commits, when the commit is durable and before its content is
   * rendered; the sync waits for it. Where it throws, the sync ends with that error: the generation stays committed, and
   * the next sync renders its content without calling this again.
   */
  onCommit?: ((committed: Committed) => void | Promise<void>) | undefined;
  /** @internal Those of a process that syncs this space again; undefined: this is its only sync. */
  connections?: Connections | undefined;
  /** @internal Rules of the crawl to replace: the simulation plants bugs with them. */
  rules?: Partial<CrawlRules> | undefined;
}

/** What a commit has brought. */
export interface Committed {
  manifest: Manifest;
  /** The generation that the changes lead from; null: the first one of its space. */
  from: number | null;
  /** Stories that differ from that generation, by edition. */
  changes: StoryChanges;
}

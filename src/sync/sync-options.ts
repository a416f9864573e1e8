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
  /** The real address if the configured one is a name (`demo:`), and mapped hosts. */
  source?: { url: string; hostMap: Readonly<Record<string, string>> } | undefined;
  /** Confirm every record, ignoring the index. */
  full?: boolean | undefined;
  /** Why to read now what `source.recheck` would read later: `webhook asset.created 7`. */
  recheck?: string | undefined;
  /** Allow large removals. */
  forceRemove?: boolean | undefined;
  /** Replace the snapshot of another space. */
  replace?: boolean | undefined;
  dryRun?: boolean | undefined;
  /** Where the snapshot is stored; default: as `config.output` says. */
  output?: Output | undefined;
  /**
   * Called, perhaps more than once, before this sync takes the lock or reads more than the probe;
   * the sync waits for it. So of many spaces, unchanged ones need not wait for their turn.
   */
  admit?: (() => Promise<void>) | undefined;
  /** The clock of waits and retries; default: real time. */
  pacing?: Pacing | undefined;
  /** For proxies. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Opens connections without a proxy; default: undici's `Agent`. */
  openAgent?: OpenAgent | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
  /**
   * Called once for each generation that this sync commits, after the commit is durable and before
   * its content is rendered; the sync waits. If it throws, the sync ends with that error, and the
   * next one renders the content without calling this again.
   */
  onCommit?: ((committed: Committed) => void | Promise<void>) | undefined;
  /** @internal Connections of a process that syncs repeatedly; undefined: own ones. */
  connections?: Connections | undefined;
  /** @internal Rules of the crawl to replace: the simulation plants bugs with them. */
  rules?: Partial<CrawlRules> | undefined;
}

export interface Committed {
  manifest: Manifest;
  /** The generation that the changes are relative to; null: the first one of its space. */
  from: number | null;
  /** Stories that differ from that generation, by edition. */
  changes: StoryChanges;
}

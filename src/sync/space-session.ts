import { sync } from "../sync.js";
import type { ProbeAnswer } from "../upstream/upstream.js";
import { openSource } from "./open-source.js";
import type { SyncReport } from "./report.js";
import type { SyncOptions } from "./sync-options.js";

/** A space that one process syncs again and again. */
export interface SpaceSession {
  /**
   * One request for the space's cv, without a cv.
   * @throws OffprintError when the upstream cannot be reached or refuses the token
   */
  probe(signal?: AbortSignal): Promise<ProbeAnswer>;
  /**
   * One sync. Never two at once of one session.
   * @throws what {@link sync} throws
   */
  sync(run?: SessionRun): Promise<SyncReport>;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** What differs from one sync of a session to the next. */
export type SessionRun = Pick<SyncOptions, "full" | "recheck" | "onProgress" | "onCommit" | "signal">;

/** Opens a session. Sends nothing yet. */
export function openSpaceSession(options: Omit<SyncOptions, keyof SessionRun | "dryRun">): SpaceSession {
  const { config, env = {}, openAgent, pacing } = options;
  const url = options.source?.url ?? config.source.url;
  return {
    async probe(signal) {
      const source = openSource({ config, url, env, openAgent, pacing, signal, onProgress: () => {} });
      try {
        return await source.upstream.probe();
      } finally {
        await source.close();
      }
    },
    sync: (run = {}) => sync({ ...options, ...run }),
    close: async () => {},
  };
}

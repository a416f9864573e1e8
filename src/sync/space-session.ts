import { openOutput } from "../snapshot/open-output.js";
import { openSource } from "./open-source.js";
import type { SyncReport } from "./report.js";
import { sync } from "./sync.js";
import type { SyncOptions } from "./sync-options.js";
import { openConnections } from "./upstream/connections.js";
import type { PaceHolder } from "./upstream/shared-pace.js";
import type { ProbeAnswer } from "./upstream/upstream.js";

/** A space that one process syncs repeatedly. */
export interface SpaceSession {
  /** One request for the space's cv. @throws OffprintError of the upstream */
  probe(signal?: AbortSignal): Promise<ProbeAnswer>;
  /** One sync; never run two of a session at once. @throws what {@link sync} throws */
  sync(run?: SessionRun): Promise<SyncReport>;
  close(): Promise<void>;
}

export type SessionRun = Pick<SyncOptions, "full" | "recheck" | "admit" | "onProgress" | "onCommit" | "signal">;

/** Common options of all syncs of a session. */
export interface SessionOptions extends Omit<SyncOptions, keyof SessionRun | "dryRun" | "connections"> {
  /** Where the pace is kept; default: a file that the processes of this user share. */
  pace?: PaceHolder | undefined;
}

/** Sends nothing. What it keeps only saves time: every sync has the same result as in a new process. */
export function openSpaceSession(options: SessionOptions): SpaceSession {
  const { config, env = {}, openAgent, pace, pacing, rules } = options;
  const url = options.source?.url ?? config.source.url;
  const output = options.output ?? openOutput(config.output);
  let onProgress: SyncOptions["onProgress"];
  const connections = openConnections({
    url,
    token: config.source.token,
    queue: config.queue,
    env,
    openAgent,
    pace,
    sleep: pacing && ((ms) => pacing.sleep(ms)),
    onWarning: (message) => onProgress?.({ kind: "note", message }),
  });
  return {
    async probe(signal) {
      const source = openSource({ config, url, env, connections, pacing, signal, rules, onProgress: () => {} });
      try {
        return await source.upstream.probe();
      } finally {
        await source.close();
      }
    },
    async sync(run = {}) {
      onProgress = run.onProgress;
      try {
        return await sync({ ...options, ...run, output, connections });
      } finally {
        onProgress = undefined;
      }
    },
    close: () => connections.close(),
  };
}

import { sync } from "../../src/sync/sync.js";
import { openConnections } from "../../src/sync/upstream/connections.js";
import type { Sync } from "./history.js";

/**
 * Every third sync is one of another process without memory, unknown to the resident one. A power
 * cut does not end the resident process either. Connections are new each time: their rate counts
 * real time, of which none passes here.
 */
export function residentProgram(): Sync {
  let syncs = 0;
  return async (options) => {
    syncs += 1;
    if (syncs % 3 === 0) return sync(options);
    const { config, pacing } = options;
    const { url, token } = config.source;
    const sleep = pacing && ((ms: number) => pacing.sleep(ms));
    const connections = openConnections({ url, token, queue: config.queue, env: {}, sleep });
    try {
      return await sync({ ...options, connections });
    } finally {
      await connections.close();
    }
  };
}

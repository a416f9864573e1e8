import { IndexMemory } from "../../src/crawl/index-memory.js";
import type { Store } from "../../src/store/store.js";
import { sync } from "../../src/sync.js";
import { openConnections } from "../../src/upstream/connections.js";
import type { Sync } from "./history.js";

/**
 * Every third sync is one of another process, which keeps nothing, and of which the process that stays knows nothing. A
 * power cut does not end it either: what it kept of files that are lost has to show as it would to a new process. What is
 * kept is the index. Connections are opened anew: the rate that they are used at counts real time, of which none passes here.
 */
export function residentProgram(): Sync {
  const indexes = new Map<Store | undefined, IndexMemory>();
  let syncs = 0;
  return async (options) => {
    syncs += 1;
    if (syncs % 3 === 0) return sync(options);
    const store = options.output?.store;
    const index = indexes.get(store) ?? new IndexMemory();
    indexes.set(store, index);
    const { config, pacing } = options;
    const { url, token } = config.source;
    const sleep = pacing && ((ms: number) => pacing.sleep(ms));
    const connections = openConnections({ url, token, queue: config.queue, env: {}, sleep });
    try {
      return await sync({ ...options, resident: { connections, index } });
    } finally {
      await connections.close();
    }
  };
}

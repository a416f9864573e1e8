import { IndexMemory } from "../../src/crawl/index-memory.js";
import type { Store } from "../../src/store/store.js";
import type { Resident } from "../../src/sync/sync-options.js";
import { sync } from "../../src/sync.js";
import { openConnections } from "../../src/upstream/connections.js";
import type { Sync } from "./history.js";

/** The program as a process runs it that stays: what it knows of a store is kept from one sync to the next. */
export interface ResidentProgram {
  sync: Sync;
  /** Ends the connections of all histories. */
  close(): Promise<void>;
}

/**
 * Every third sync is one of another process, which keeps nothing, and of which the process that stays knows nothing. A
 * power cut does not end it either: what it kept of files that are lost has to show as it would to a new process.
 */
export function residentProgram(): ResidentProgram {
  const residents = new Map<Store | undefined, Resident>();
  let syncs = 0;
  return {
    sync(options) {
      syncs += 1;
      if (syncs % 3 === 0) return sync(options);
      const store = options.output?.store;
      const resident = residents.get(store) ?? openResident(options);
      residents.set(store, resident);
      return sync({ ...options, resident });
    },
    async close() {
      await Promise.all([...residents.values()].map(({ connections }) => connections.close()));
      residents.clear();
    },
  };
}

function openResident({ config, pacing }: Parameters<Sync>[0]): Resident {
  const { url, token } = config.source;
  const sleep = pacing && ((ms: number) => pacing.sleep(ms));
  return {
    connections: openConnections({ url, token, queue: config.queue, env: {}, sleep }),
    index: new IndexMemory(),
  };
}

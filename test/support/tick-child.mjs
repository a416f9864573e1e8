// Syncs the space of a folder's configuration again and again in one process: so often as a message says, with a probe
// before each sync. Answers with its heap in bytes, once all garbage is collected. Started with --expose-gc.
import { loadConfig } from "../../dist/src/config/load/load-spaces.js";
import { openSpaceSession } from "../../dist/src/sync/space-session.js";

const session = openSpaceSession({ config: await loadConfig({ cwd: process.argv[2], env: {} }), env: {} });
const { signal } = new AbortController();
process.on("message", async (ticks) => {
  for (let tick = 0; tick < ticks; tick++) {
    await session.probe(signal);
    await session.sync({ signal });
  }
  globalThis.gc();
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
process.on("disconnect", () => process.exit());

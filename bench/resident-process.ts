import { loadConfig } from "../src/config/load/load-spaces.js";
import { openSpaceSession } from "../src/sync/space-session.js";

/**
 * A process that syncs the space of a folder's configuration whenever it is told to, as `watch` does, and tells what
 * that took.
 */
export interface ResidentTold {
  /** The sync alone, without the probe before it. */
  ms: number;
  /** Processor time of the process, all its threads, in milliseconds. */
  cpuMs: number;
  changed: number;
  requests: number;
  written: number;
}

const [cwd = ""] = process.argv.slice(2);
const session = openSpaceSession({ config: await loadConfig({ cwd, env: process.env }), env: process.env });
process.on("message", async () => {
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const report = await session.sync();
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const told: ResidentTold = {
    ms,
    cpuMs: (user + system) / 1_000,
    changed: report.stories.changed,
    requests: report.requests.total,
    written: report.content.written,
  };
  process.send?.(told);
});
process.on("disconnect", () => process.exit());
process.send?.({});

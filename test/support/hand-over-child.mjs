import { loadConfig } from "../../dist/src/config/load/load-spaces.js";
import { handOver } from "../../dist/src/watch/hooks/hand-over.js";

/** One hand-over of the project in the working folder, as `offprint sync` does it: the process that a crash test kills. */
const config = await loadConfig({ cwd: process.cwd(), env: {} });
const done = await handOver({ config, env: process.env, onLine: () => {} });
if (done.some(({ result }) => result !== "done" && result !== "nothing")) process.exitCode = 3;

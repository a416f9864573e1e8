import { loadConfig } from "../../dist/src/config/load-config.js";
import { sync } from "../../dist/src/sync.js";

/** One sync of the project in the working folder, as `offprint sync` does it: the process that a crash test kills. */
await sync({ config: await loadConfig({ cwd: process.cwd(), env: {} }) });

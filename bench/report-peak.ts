import { writeSync } from "node:fs";

// Loaded in front of a measured script: tells its largest resident size when it ends.
process.on("exit", () => writeSync(2, `\noffprint-bench-peak:${process.resourceUsage().maxRSS * 1024}\n`));

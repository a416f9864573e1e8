import { writeSync } from "node:fs";

// Loaded in front of a measured script: tells its largest resident size and its processor time when it ends.
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(2, `\noffprint-bench-peak:${maxRSS * 1024}:${(userCPUTime + systemCPUTime) / 1_000}\n`);
});

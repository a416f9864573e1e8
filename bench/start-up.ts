import { commandLine, interleaved, run } from "./measure.js";
import { type Bench, ratioRow } from "./row.js";

/** What a command costs before it does anything. */
export const startUpBench: Bench = async ({ short }) => {
  const [value = 0, floor = 0] = await interleaved(
    short ? 9 : 25,
    [async () => (await run([commandLine, "--version"])).ms, async () => (await run(["-e", "0"])).ms],
    { warmUp: true },
  );
  return [ratioRow("offprint --version", "ms", { value, floor }, 1.3)];
};

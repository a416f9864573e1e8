import type { Config } from "../config/config.js";
import type { Problem } from "../lib/errors.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import type { SyncReport } from "../sync/report.js";
import type { CommandContext } from "./context.js";

/** An output, and what it has told that stops nothing. */
export interface NotedOutput {
  output: Output;
  /** Takes what was told since the last time. */
  take(): Problem[];
  /** Runs a sync of the output; what was told is among the problems of its report. */
  noting(run: () => Promise<SyncReport>): Promise<SyncReport>;
}

/** Opens the output of a configuration for a command that reports. Nothing is sent yet. */
export function openNotedOutput({ env }: Pick<CommandContext, "env">, { output }: Pick<Config, "output">): NotedOutput {
  const notes: Problem[] = [];
  const take = () => notes.splice(0);
  return {
    output: openOutput(output, { env, onNote: (note) => void notes.push(note) }),
    take,
    async noting(run) {
      const report = await run();
      return { ...report, problems: [...report.problems, ...take().map((note) => ({ ...note, isNew: true }))] };
    },
  };
}

import type { Config } from "../config/config.js";
import type { Problem } from "../lib/errors.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import type { SyncReport } from "../sync/report.js";
import type { CommandContext } from "./context.js";

/** An output with the warnings it gave. */
export interface NotedOutput {
  output: Output;
  /** Returns the warnings since the last call. */
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

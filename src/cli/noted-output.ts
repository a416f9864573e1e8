import type { Config } from "../config/config.js";
import type { Problem } from "../lib/errors.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import type { SyncReport } from "../sync/report.js";
import type { CommandContext } from "./context.js";

export interface NotedOutput {
  output: Output;
  take(): Problem[];
  /** Runs a sync of the output and adds the warnings to the problems of its report. */
  noting(run: () => Promise<SyncReport>): Promise<SyncReport>;
}

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

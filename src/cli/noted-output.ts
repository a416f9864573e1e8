import type { Config } from "../config/config.js";
import type { Problem } from "../lib/errors.js";
import { openOutput } from "../snapshot/open-output.js";
import type { SyncReport } from "../sync/report.js";
import type { CommandContext } from "./context.js";

export type NotedOutput = ReturnType<typeof openNotedOutput>;

export function openNotedOutput({ env }: Pick<CommandContext, "env">, { output }: Pick<Config, "output">) {
  const notes: Problem[] = [];
  const take = () => notes.splice(0);
  return {
    output: openOutput(output, { env, onNote: (note) => void notes.push(note) }),
    take,
    /** Runs a sync of the output and adds the warnings to the problems of its report. */
    async noting(run: () => Promise<SyncReport>): Promise<SyncReport> {
      const report = await run();
      return { ...report, problems: [...report.problems, ...take().map((note) => ({ ...note, isNew: true }))] };
    },
  };
}

import type { Config } from "../config/config.js";
import type { SpaceConfig } from "../config/load/fleet.js";
import type { Problem } from "../lib/errors.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import type { SyncReport } from "../sync/report.js";
import { demoSource } from "../sync/space-identity.js";
import { openSpaceSession, type SessionOptions, type SpaceSession } from "../sync/space-session.js";
import { tracedSync } from "../watch/telemetry/trace-sync.js";
import type { CommandContext } from "./context.js";
import { debugged } from "./debug-progress.js";
import { openDemo } from "./open-demo.js";
import { summarizedProblems } from "./report-failure.js";
import { nameTold } from "./told-problems.js";

/** Problems of each kind that are named, as many as are told. */
const namedOfEach = 10;

/** Opens the session of a process that stays: its syncs are traced, and the new problems of their reports have names. */
export function openSession(
  context: CommandContext,
  space: SpaceConfig,
  output: Output,
  pace?: SessionOptions["pace"],
): SpaceSession {
  const session = openPlainSession(context, space, output, pace);
  return {
    ...session,
    sync: async (run) => {
      const report = await tracedSync({
        space: space.name,
        version: context.version,
        onProgress: debugged(run?.onProgress ?? (() => {}), context),
        run: (onProgress) => session.sync({ ...run, onProgress }),
      });
      const fresh = report.problems.filter(({ isNew }) => isNew);
      const told = context.flags.json ? fresh : summarizedProblems(context, fresh, namedOfEach);
      const source = { store: output.store, config: space.config };
      // Those that are not new are only counted, at each run.
      const flags = { ...context.flags, json: false };
      return { ...report, problems: await nameTold({ flags }, source, report.problems, told) };
    },
  };
}

/** Restarts the demo space after each `demo --edit`. @param pace default: a file shared by this user's processes */
function openPlainSession(
  context: CommandContext,
  { config, file }: SpaceConfig,
  output: Output,
  pace?: SessionOptions["pace"],
): SpaceSession {
  const { env } = context;
  if (config.source.url !== demoSource) return openSpaceSession({ config, env, output, pace });
  let open: { edits: string; session: SpaceSession; close(): Promise<void> } | undefined;
  const current = async (): Promise<SpaceSession> => {
    const { loadEdits } = await import("../../demo/edit-log.js");
    const edits = JSON.stringify(await loadEdits(output.store, Date.now()));
    if (open?.edits === edits) return open.session;
    await open?.close();
    open = undefined;
    const demo = await openDemo({ ...context, flags: { ...context.flags, config: file } }, config);
    if (demo === undefined) throw new Error("The demo space could not be opened.");
    const source = { url: demo.url, hostMap: demo.assetHosts };
    const session = openSpaceSession({ config, env, output, source, pace });
    const close = async () => {
      await session.close();
      await demo.close();
    };
    open = { edits, session, close };
    return session;
  };
  return {
    probe: async (signal) => (await current()).probe(signal),
    sync: async (run) => (await current()).sync(run),
    close: async () => open?.close(),
  };
}

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

import { runBuiltCheck } from "../content/check/built/run-built-check.js";
import { runCheck } from "../content/check/run-check.js";
import { plural } from "../lib/quantity-text.js";
import { loadState } from "../snapshot/state.js";
import type { ChangeList, StoryChange } from "../watch/hooks/change-list.js";
import { compareGenerations } from "../watch/hooks/compare-generations.js";
import { builtFolder, namedBuiltFolder } from "./built-folder.js";
import { countsText } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { deployedManifest } from "./deployed.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { mostCompared, type Report, reportMarkdown } from "./report-markdown.js";
import { wordDifferences } from "./word-differences.js";

export interface ReportFlags {
  /** A generation, a time, or the file or address of a deployed `index.json`. */
  since?: string;
  /** The folder of the built site; `true`: that of the framework. */
  built?: string | true;
}

/** `offprint report`: what is not deployed yet, as one Markdown for a pull request or a mail. */
export async function runReport(context: CommandContext, { since, built }: ReportFlags): Promise<number> {
  const { config, store, manifest: after } = await currentSnapshot(context);
  const deployed = await deployedManifest(context, config, { store, after }, since);
  const { manifest: before } = deployed;
  const list = before && (await compareGenerations({ config, store, after }, before));
  const checked = await runCheck(store, { config, since: before?.generation });
  const cwd = context.workingFolder();
  const folder = built === undefined ? await builtFolder(cwd) : await namedBuiltFolder(cwd, built);
  const { runs } = await loadState(store);
  const report: Report = {
    generation: after.generation,
    since: deployed.text,
    list,
    findings: before === undefined ? [] : (checked?.findings ?? []),
    built: folder === undefined ? undefined : await runBuiltCheck(store, { config, folder }),
    runs: runs.filter(({ startedAt }) => before === undefined || startedAt > before.committedAt),
    words: () => wordDifferences(store, { before, after }, changedStories(list).slice(0, mostCompared)),
  };
  const markdown = await reportMarkdown(report);
  const { terminal } = context;
  terminal.text(markdown.trimEnd(), "plain");
  const counts = list === undefined ? "unknown changes" : countsText(list.header.counts);
  terminal.say(`Since ${deployed.text}: ${counts}, ${plural(report.findings.length, "new finding")}.`);
  terminal.document({
    ...{ schema: 1, from: before?.generation ?? null, to: after.generation, counts: list?.header.counts ?? null },
    ...{ newFindings: report.findings.length, builtFindings: report.built?.findings.length ?? null, markdown },
  });
  return 0;
}

/** Stories whose own content changed. */
function changedStories(list: ChangeList | undefined): StoryChange[] {
  return (list?.changes ?? []).filter((change): change is StoryChange => {
    return change.change === "upsert" || change.change === "move";
  });
}

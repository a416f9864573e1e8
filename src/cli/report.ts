import { runBuiltCheck } from "../content/check/built/run-built-check.js";
import { runCheck } from "../content/check/run-check.js";
import { diffStory } from "../content/diff/diff-story.js";
import { differenceEntries } from "../content/diff/difference-entries.js";
import { differenceMarkdown } from "../content/diff/difference-markdown.js";
import { nameEntries } from "../content/diff/named-entries.js";
import { plural } from "../lib/quantity-text.js";
import type { Manifest } from "../snapshot/manifest.js";
import { storedStory } from "../snapshot/reader/stored-story.js";
import { loadState } from "../snapshot/state.js";
import type { Store } from "../snapshot/store/store.js";
import type { ChangeList, StoryChange } from "../watch/hooks/change-list.js";
import { compareGenerations } from "../watch/hooks/compare-generations.js";
import { builtFolder, namedBuiltFolder } from "./built-folder.js";
import { countsText } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { deployedManifest } from "./deployed.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { mostCompared, type Report, reportMarkdown } from "./report-markdown.js";

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

interface ComparedGenerations {
  /** Undefined: unknown, so nothing is compared. */
  before: Manifest | undefined;
  after: Manifest;
}

/** How each story differs by words, as Markdown. Stories that are new are left out: all of their words are. */
async function* wordDifferences(
  store: Store,
  { before, after }: ComparedGenerations,
  stories: readonly StoryChange[],
): AsyncGenerator<string> {
  if (before === undefined) return;
  for (const { edition, uuid, full_slug: slug } of stories) {
    const [old, now] = [
      await storedStory(store, before, edition, uuid),
      await storedStory(store, after, edition, uuid),
    ];
    const { change, fields } = diffStory(old, now);
    if (old === undefined || now === undefined) continue;
    const told = fields.filter(({ field }) => ["name", "content", "tag_list"].includes(field));
    const { entries } = await nameEntries(store, after, differenceEntries(told));
    if (entries.length === 0) continue;
    const { name = "" } = JSON.parse(now) as { name?: string };
    const generations = { from: before.generation, to: after.generation };
    yield differenceMarkdown({ name, slug, edition, ...generations, change, entries });
  }
}

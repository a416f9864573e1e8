import { OffprintError } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import { compareStories } from "../snapshot/compare-stories.js";
import { listGenerations, readManifest } from "../snapshot/current-manifest.js";
import { differingParts, type PartDifferences } from "../snapshot/diff-part.js";
import { entryChanges } from "../snapshot/entry-changes.js";
import type { Manifest } from "../snapshot/manifest.js";
import { kindOf } from "../snapshot/part-kinds.js";
import type { Store } from "../snapshot/store/store.js";
import {
  countDifferences,
  differenceCountsText,
  movedFolders,
  storyDifferences,
} from "../snapshot/story-differences.js";
import type { CommandContext } from "./context.js";
import { entryLines, storyLines } from "./diff-lines.js";
import { assertOneName, namedGeneration } from "./generation-at.js";
import { currentSnapshot } from "./missing-snapshot.js";

export interface ComparedFlags {
  a?: number;
  b?: number;
  /** In place of `a`: a number or a time. */
  since?: number | string;
  /** In place of `b`: a time. */
  at?: string;
}

export interface DiffFlags extends ComparedFlags {
  language?: string;
  draft?: boolean;
  markdown?: boolean;
}

/** `offprint diff [a] [b]`: how generation b differs from a. Default: the current one and the previous one. */
export async function runDiff(context: CommandContext, flags: DiffFlags): Promise<number> {
  const lost = (["language", "draft", "markdown"] as const).find((flag) => flags[flag] !== undefined);
  if (lost !== undefined) {
    throw new OffprintError("USAGE", `--${lost} is about one story.`, { hint: "Name it with --story." });
  }
  const { store, before, after } = await comparedGenerations(context, flags);
  const stories = await compareStories(store, before, after);
  const parts: PartDifferences[] = [];
  for await (const part of differingParts(store, before, after)) parts.push(part);
  const entries = await entryChanges(store, before, after);

  const { terminal } = context;
  terminal.say(
    `Generation ${before.generation} (cv ${before.cv ?? "unknown"}) → ${after.generation} (cv ${after.cv ?? "unknown"})`,
  );
  const editions = [...after.editions, ...before.editions];
  const differences = storyDifferences(stories, editions);
  const hasEditions = new Set(editions.map(({ name }) => name)).size > 1;
  for (const { mark, style, text } of [...storyLines(differences, hasEditions), ...entryLines(entries)]) {
    terminal.data(`${terminal.paint(style, mark)} ${text}`);
  }
  for (const { part, ...counts } of parts.filter(({ part }) => kindOf(part) !== "entries")) {
    terminal.data(`${terminal.paint("cyan", "*")} ${part}  ${differenceCountsText({ ...counts, moved: 0 })}`);
  }
  const counts = countDifferences(stories);
  const ofEntries = entries.length === 0 ? "" : `; ${plural(entries.length, "datasource entry", "datasource entries")}`;
  terminal.say(`Stories: ${differenceCountsText(counts)}${ofEntries}`);
  const { folders } = movedFolders(differences);
  terminal.document({
    ...{ schema: 1, from: before.generation, to: after.generation, stories, parts, counts, entries },
    folders: folders.map(({ from, to, stories }) => ({ from, to, stories: stories.length })),
  });
  return 0;
}

/** Default: `b` the current generation, `a` the one before it. @throws OffprintError `SNAPSHOT_MISSING` */
export async function comparedGenerations(context: CommandContext, { a, b, since, at }: ComparedFlags) {
  const number = a === undefined ? undefined : `the number ${a}`;
  if (since !== undefined) assertOneName("--since", number);
  if (at !== undefined) assertOneName("--at", b === undefined ? number : `the number ${b}`);
  const { terminal } = context;
  const { store, manifest: current } = await currentSnapshot(context);
  const [earlierName, laterName] = [since ?? a, at ?? b];
  const after = laterName === undefined ? current : await namedGeneration(terminal, store, laterName, "--at");
  const before =
    earlierName === undefined
      ? await manifestBefore(store, after)
      : await namedGeneration(terminal, store, earlierName, "--since");
  return { store, current, before, after };
}

/** The kept generation before another one. @throws OffprintError `SNAPSHOT_MISSING` */
export async function manifestBefore(store: Store, after: Manifest): Promise<Manifest> {
  const earlier = (await listGenerations(store)).filter((generation) => generation < after.generation).at(-1);
  if (earlier !== undefined) return readManifest(store, earlier);
  throw new OffprintError("SNAPSHOT_MISSING", `There is no generation before ${after.generation} to compare with.`, {
    hint: "The next sync that finds something new makes one; output.keepGenerations says how many are kept.",
  });
}

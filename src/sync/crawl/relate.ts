import type { CrawlRun } from "./crawl-run.js";
import { readsRelated } from "./run/story-filter.js";
import { openRelationReader } from "./stories/related-stories.js";
import type { StoryLedger } from "./stories/story-ledger.js";

/**
 * Where `source.include.related` is set, brings the index of a version in line with the relations of its staged stories: rows
 * of stories that an included one names are added, and staged stories that none names any more are removed. This goes one step
 * far: a story that is read only because another one names it adds no further ones.
 *
 * All of it follows from what is staged, and from nothing in memory: after an interruption the next round comes to the same.
 *
 * @returns uuids of named stories that are not staged: they have to be asked for, whether the index has a row of them or not
 */
export async function relate(run: CrawlRun, ledger: StoryLedger): Promise<string[]> {
  const { context, workspace } = run;
  const { config, store, rules } = context;
  if (!readsRelated(config.source.include)) return [];
  run.relations ??= openRelationReader(store, config);
  await workspace.fold();
  const { named, held, included } = await rules.relatedStories(workspace.parts, await run.relations, ledger.editions);
  ledger.index.relate(named);
  for (const uuid of held) if (!named.has(uuid)) ledger.leaveOut(uuid);
  await workspace.fold();
  const { rows, swept } = ledger.index;
  const { rows: staged } = await ledger.index.staged();
  return [...named].filter((uuid) => {
    const row = rows.get(uuid);
    if (row === undefined || row.isFolder || held.has(uuid) || included.has(uuid)) return false;
    // Its row is staged where its slug is wanted, whether or not it was left out for its content type.
    return swept.rows.has(uuid) || !staged.has(uuid);
  });
}

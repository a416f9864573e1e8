import type { CrawlRun } from "./crawl-run.js";
import { openRelationReader } from "./related-stories.js";
import { readsRelated } from "./story-filter.js";
import type { StoryLedger } from "./story-ledger.js";

/**
 * Brings what is wanted of a version in line with what its staged stories name, where `source.include.related` is set: rows of
 * named stories join the index, and staged stories that nobody names any more are left out. One level: what a story names
 * that is read for its relation alone is not read for that.
 *
 * Which stories are held and which are named follows from what is staged alone, so that an interruption at any place is made
 * up for by the next round.
 *
 * @returns uuids of named stories that are not staged, and are to be asked for whether a row shows it or not
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

// @module-tag long
import { expect, test } from "vitest";
import { initialState } from "../../demo/content-tree.js";
import { emptyLog } from "../../demo/edit-log.js";
import { appendEdit, applyEdits, cvOf, type EditLog, nextStep } from "../../demo/edits.js";
import { editKinds } from "../../demo/prepared-changes.js";
import { startDemo } from "../../demo/start-demo.js";
import { type SyncFolder, syncFolder } from "../support/sync-folder.js";

const yaml = `
source: { url: "demo:", token: demo, versions: [published, draft] }
assets: { download: false }
content: { formats: [] }
`;

/** Syncs from the demo space with these edits, as the command line does. */
async function syncEdited(folder: SyncFolder, edits: EditLog) {
  const demo = await startDemo({ edits });
  try {
    return await folder.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });
  } finally {
    await demo.close();
  }
}

test("finds each edit of the demo space in the next sync, and all together equal a fresh sync", async () => {
  const folder = await syncFolder(yaml);
  const { stories } = await syncEdited(folder, emptyLog);
  const found: object[] = [];
  let log = emptyLog;
  for (const kind of editKinds) {
    const step = nextStep(applyEdits(initialState(), log), log, kind) ?? -1;
    log = appendEdit(log, kind, step, cvOf(log) + 60);
    const { outcome, consistency, stories: counts } = await syncEdited(folder, log);
    found.push({ kind, outcome, consistency, ...counts });
  }
  const none = { outcome: "committed", consistency: "stable", added: 0, changed: 0, removed: 0, moved: 0 };
  const total = stories.total;
  expect(found).toEqual([
    { ...none, kind: "publish", total, changed: 1 },
    { ...none, kind: "rename", total, changed: 8, moved: 8 },
    { ...none, kind: "delete", total: total - 1, removed: 1 },
    { ...none, kind: "create", total, added: 1 },
    // New in one published language, under another slug than its draft had there.
    { ...none, kind: "translate", total, added: 1, moved: 1 },
    { ...none, kind: "datasource", total },
    // Drafts are read too, and the story stays one.
    { ...none, kind: "unpublish", total, removed: 1 },
  ]);

  const fresh = await syncFolder(yaml);
  await syncEdited(fresh, log);
  expect(await folder.records()).toEqual(await fresh.records());
  const { outcome, requests } = await syncEdited(folder, log);
  expect(outcome).toBe("unchanged");
  // Four are for the taxonomies: their list at two addresses, and two trees.
  expect(requests.total).toBeLessThan(9);
}, 60_000);

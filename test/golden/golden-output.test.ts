import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatPatch, structuredPatch } from "diff";
import { expect, test } from "vitest";
import { initialState } from "../../demo/content-tree.js";
import { emptyLog } from "../../demo/edit-log.js";
import { appendEdit, applyEdits, cvOf, type EditLog, nextStep } from "../../demo/edits.js";
import { startDemo } from "../../demo/start-demo.js";
import { manifestFile } from "../../src/snapshot/layout.js";
import { type SyncFolder, syncFolder } from "../support/sync-folder.js";

/*
 * Snapshot and content of the demo space, byte for byte as the committed listings say. A change of what is written is a decision:
 * `npx vitest run test/golden -u` writes the listings again, and CHANGELOG.md tells users.
 */

async function synced(folder: SyncFolder, edits: EditLog): Promise<void> {
  const demo = await startDemo({ edits });
  try {
    await folder.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });
  } finally {
    await demo.close();
  }
}

/** A line for each file below a folder: the beginning of the SHA-256 of its bytes, and its path. Files that begin with a dot are no output. */
async function listingOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(
    (entry) => entry.isFile() && !/[/\\]\.offprint/.test(join(entry.parentPath, entry.name)),
  );
  const lines = await Promise.all(
    paths.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const hash = createHash("sha256").update(await readFile(path));
      return [path.slice(folder.length + 1), hash.digest("hex").slice(0, 16)] as const;
    }),
  );
  const sorted = lines.sort(([a], [b]) => (a < b ? -1 : 1));
  return `${sorted.map(([path, hash]) => `${hash} ${path}`).join("\n")}\n`;
}

/** What the manifest says beside its two times and the checksum of these: names of shards have the hash of their bytes. */
async function manifestOf(folder: SyncFolder): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder.output, manifestFile), "utf8"));
  const withoutTimes = (key: string, value: unknown) =>
    ["startedAt", "committedAt", "checksum"].includes(key) ? undefined : value;
  return `${JSON.stringify(manifest, withoutTimes, 1)}\n`;
}

test("a first sync of the demo space writes the same snapshot and content as ever, and so does one after two edits", async () => {
  const folder = await syncFolder(`
source: { url: "demo:", token: demo }
assets: { download: false }
content: { formats: [json, markdown] }
`);
  await synced(folder, emptyLog);
  const manifest = await manifestOf(folder);
  await expect(manifest).toMatchFileSnapshot("demo-manifest.txt");
  const before = await listingOf(join(folder.output, "content"));
  await expect(before).toMatchFileSnapshot("demo-content.txt");
  let log = emptyLog;
  for (const kind of ["publish", "rename"] as const) {
    const step = nextStep(applyEdits(initialState(), log), log, kind) ?? -1;
    log = appendEdit(log, kind, step, cvOf(log) + 60);
  }
  await synced(folder, log);
  const edited = formatPatch(structuredPatch("", "", manifest, await manifestOf(folder), "", "", { context: 0 }));
  await expect(edited).toMatchFileSnapshot("edited-manifest.txt");
  const known = new Set(before.split("\n"));
  const after = (await listingOf(join(folder.output, "content"))).split("\n");
  await expect(`${after.filter((line) => !known.has(line)).join("\n")}\n`).toMatchFileSnapshot("edited-content.txt");
}, 60_000);

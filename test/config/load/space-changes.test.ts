import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spaceChanges } from "../../../src/config/load/fleet.js";
import { loadSpaces } from "../../../src/config/load/load-spaces.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

async function read(spaces: string) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "sync.config.yaml"), `spaces:\n${spaces}`);
  const { spaces: found } = await loadSpaces({ cwd, env: {} });
  // The same folder, as of the same file.
  const text = JSON.stringify(found).replaceAll(cwd, "/site");
  return JSON.parse(text) as typeof found;
}

test("two readings differ by the names of spaces and by any setting, a token too; order is none", async () => {
  const before = await read(
    "  blog: { source: { url: 'demo:', token: one } }\n  docs: { source: { url: 'demo:', token: two } }\n  old: { source: { url: 'demo:', token: two } }\n",
  );
  const after = await read(
    "  new: { source: { url: 'demo:', token: two } }\n  docs: { source: { url: 'demo:', token: two } }\n  blog: { source: { url: 'demo:', token: other } }\n",
  );
  const { added, changed, removed } = spaceChanges(before, after);
  const names = (spaces: typeof before) => spaces.map(({ name }) => name);
  expect([names(added), names(changed), removed]).toEqual([["new"], ["blog"], ["old"]]);
  expect(changed[0]!.config.source.token).toBe("other");
  expect(spaceChanges(after, after)).toEqual({ added: [], changed: [], removed: [] });
});

test("two readings of one file are the same", async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, "sync.config.yaml"),
    "source: { url: 'demo:', token: one }\nschedule: { cron: '13 * * * *' }\nonCommit: { site: { run: 'echo x' } }\ncontent: { types: { page: { date: published } } }\n",
  );
  const [one, other] = [await loadSpaces({ cwd, env: {} }), await loadSpaces({ cwd, env: {} })];
  expect(spaceChanges(one.spaces, other.spaces)).toEqual({ added: [], changed: [], removed: [] });
});

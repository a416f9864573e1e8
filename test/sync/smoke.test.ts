import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.js";
import { sync } from "../../src/sync.js";
import { startEditableSpace } from "../support/editable-space.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("smoke", async () => {
  const dir = await temporaryFolder();
  const space = await startEditableSpace({
    languages: ["de"],
    stories: Array.from({ length: 250 }, (_, i) => ({ name: `Story ${i}`, slug: `s/${i}`, tags: i % 10 === 0 ? ["ten"] : [] })),
    datasources: [{ slug: "colors", dimensions: ["de"], entries: { red: "rot" } }],
  });
  await writeFile(join(dir, "sync.config.yaml"), `source:\n  url: ${space.url}\n  token: abcdefgh\n`);
  const config = await loadConfig({ cwd: dir, env: {} });
  const notes: unknown[] = [];
  const first = await sync({ config, onProgress: (p) => { if (p.kind === "note" || p.kind === "plan") notes.push(p); } });
  console.log(first, notes, space.requests());
  const second = await sync({ config });
  console.log(second.outcome, second.requests, space.requests());
  await space.publish((c) => { c.stories[3]!.headline = "neu"; c.stories[3]!.publishedAt = "2025-01-01T00:00:00.000Z"; c.stories.splice(10, 1); c.stories[5]!.slug = "moved/5"; });
  const third = await sync({ config, onProgress: (p) => { if (p.kind === "note" || p.kind === "plan") notes.push(p); } });
  console.log(third, notes);
  await space.close();
  expect(third.stories).toMatchObject({ changed: 2, removed: 1, moved: 1 });
});

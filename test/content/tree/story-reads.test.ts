import { join } from "node:path";
import { expect, test } from "vitest";
import { contentStore } from "../../../src/content/tree/content-folder.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { readStoryReads } from "../../../src/content/tree/story-reads.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, sampleSnapshot, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

test("the reads of stories are taken from a tree with many rows, and found without one", async () => {
  const stories = Array.from({ length: 20 }, (_, at) => story(at + 1));
  const content = { editions: { "published/default": stories } };
  const [{ reader }, { store: output, manifest }] = await Promise.all([sampleSnapshot(content), commitSample(content)]);
  const dir = await temporaryFolder();
  const config = { ...sampleConfig, content: { ...sampleConfig.content, dir: join(dir, "content") } };
  const store = contentStore(config);
  await exportContent({ reader, config, store, linksLimits: { rows: 10, rowsOfFile: 5 } });
  const unread = { ...output, get: () => Promise.reject(new Error("the snapshot was read")) };
  const fromTree = await readStoryReads(config, unread, manifest);
  expect(fromTree.map(({ full_slug }) => full_slug).sort()).toEqual(stories.map(({ full_slug }) => full_slug).sort());
  const [, part = ""] = (await store.names("")).filter((name) => name.startsWith("links/"));
  await store.replace(part, Buffer.from("[]\n"));
  expect(await readStoryReads(config, output, manifest)).toEqual(fromTree);
});

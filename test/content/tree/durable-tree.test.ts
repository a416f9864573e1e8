import "../../support/file-system-hook.mjs";

import { chmod, readFile, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { exportGeneration } from "../../../src/content/tree/export-generation.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { hookFileSystem } from "../../support/file-system-hook.mjs";
import { sampleConfig } from "../../support/sample-config.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

interface Exported {
  /** The files that were synced one by one, and the names that files got by a rename, in order. */
  changes: string[];
  /** What the content folder held at each call of the command `sync`: the number of pages, and whether the index was there. */
  flushed: { pages: number; hasIndex: boolean }[];
}

/** A first export of so many pages. @param exitCode of the command `sync` */
async function exported(pages: number, exitCode: number): Promise<Exported> {
  const [folder, bin] = [await temporaryFolder(), await temporaryFolder()];
  const log = join(bin, "log");
  const command = `#!/bin/sh
echo "$(find "$2" -name 'story-*.md' | wc -l) $(ls "$2" | grep -c '^index.json$')" >> '${log}'
exit ${exitCode}
`;
  await writeFile(join(bin, "sync"), command);
  await chmod(join(bin, "sync"), 0o755);
  await writeFile(log, "");
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const changes: string[] = [];
  const stories = Array.from({ length: pages }, (_, index): StoryRecord => story(index + 1));
  const { store, reader } = await sampleSnapshot({ editions: { "published/default": stories } });
  const unhook = hookFileSystem(({ name, path, to }, perform) => {
    if (name === "sync") changes.push(`sync ${basename(path)}`);
    if (name === "rename" && to !== undefined) changes.push(`name ${basename(to)}`);
    return perform();
  });
  onTestFinished(unhook);
  const content = { ...sampleConfig.content, formats: ["markdown" as const], dir: folder };
  const config = { ...sampleConfig, content, output: { ...sampleConfig.output, dir: folder } };
  await exportGeneration({ config, output: store, manifest: reader.manifest, assertHeld: async () => {} });
  unhook();
  const lines = (await readFile(log, "utf8")).split("\n").slice(0, -1);
  return {
    changes,
    flushed: lines.map((line) => {
      const [pages, index] = line.split(" ").map(Number);
      return { pages: pages!, hasIndex: index !== 0 };
    }),
  };
}

const isSyncOfPage = (change: string) => /^sync story-\d+\.md$/.test(change);

describe.runIf(process.platform === "linux")("a power cut after an export", () => {
  test("finds many pages durable by one flush of the file system, before the index is there", async () => {
    const { changes, flushed } = await exported(150, 0);
    expect(flushed).toEqual([{ pages: 150, hasIndex: false }]);
    expect(changes.filter(isSyncOfPage)).toEqual([]);
  });

  test("finds each page synced before the index where the command fails", async () => {
    const { changes, flushed } = await exported(150, 1);
    expect(flushed).toHaveLength(1);
    expect(new Set(changes.filter(isSyncOfPage)).size).toBe(150);
    expect(changes.findLastIndex(isSyncOfPage)).toBeLessThan(changes.indexOf("name index.json"));
  });

  test("finds a few pages synced each: they do not wait for what other programs wrote", async () => {
    const { changes, flushed } = await exported(20, 0);
    expect(flushed).toEqual([]);
    expect(changes.filter(isSyncOfPage)).toHaveLength(20);
    expect(changes.findLastIndex(isSyncOfPage)).toBeLessThan(changes.indexOf("name index.json"));
  });
});

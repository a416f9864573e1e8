import "../../support/file-system-hook.mjs";

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { flushFileSystem } from "../../../src/snapshot/store/flush-file-system.js";
import { hookFileSystem } from "../../support/file-system-hook.mjs";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Writes so many objects, each into a folder of its own, and flushes. @returns how many files and folders were synced one by one */
async function syncsOf(objects: number): Promise<number> {
  const store = openFileStore(await temporaryFolder());
  for (let n = 0; n < objects; n += 1) await store.put(`assets/${n}/image.png`, Buffer.from(String(n)));
  let syncs = 0;
  const unhook = hookFileSystem(({ name }, perform) => {
    if (name === "sync") syncs += 1;
    return perform();
  });
  onTestFinished(unhook);
  await store.flush();
  return syncs;
}

describe.runIf(process.platform === "linux")("a flush of the store of files", () => {
  test("syncs none of many files and folders one by one", async () => {
    expect(await syncsOf(100)).toBe(0);
  });

  test("syncs each of a few: the file, its folder, and the two folders above", async () => {
    expect(await syncsOf(10)).toBe(10 + 10 + 2);
  });

  test("syncs each of many where there is no command `sync`", async () => {
    vi.stubEnv("PATH", await temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await syncsOf(100)).toBe(100 + 100 + 2);
  });

  test("runs no command of a package that is called `sync`", async () => {
    const bin = join(await temporaryFolder(), "node_modules", ".bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "sync"), `#!/bin/sh\ntouch '${bin}/ran'\n`, { mode: 0o755 });
    vi.stubEnv("PATH", [bin, process.env.PATH].join(delimiter));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await syncsOf(100)).toBe(0);
    expect(await readdir(bin)).toEqual(["sync"]);
  });

  test("syncs each on a file system of which it is not known what a flush does", async () => {
    expect(await flushFileSystem("/proc")).toBe(false);
    expect(await flushFileSystem("/a/folder/that/is/not/there")).toBe(false);
    expect(await flushFileSystem(await temporaryFolder())).toBe(true);
  });
});

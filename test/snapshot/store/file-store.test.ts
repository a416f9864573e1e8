import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openFileStore, removeTemporaryFiles } from "../../../src/snapshot/store/file-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { describeStore } from "../../support/store-suite.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

describeStore("a store of files", async () => openFileStore(join(await temporaryFolder(), "root")));
describeStore("a store of files in a folder that is not ours alone", async () =>
  openFileStore(await temporaryFolder(), { temporary: "beside", rebuildable: true }),
);

/** Puts an object in two pieces. */
async function putInPieces(store: Store, name: string, bytes: Uint8Array): Promise<void> {
  const object = await store.begin();
  try {
    await object.write(bytes.subarray(0, 1));
    await object.write(bytes.subarray(1));
    await object.finish(name);
  } finally {
    await object.discard();
  }
}

function waysToWrite(store: Store): ((name: string, bytes: Uint8Array) => Promise<unknown>)[] {
  return [
    (name, bytes) => store.put(name, bytes),
    (name, bytes) => store.replace(name, bytes),
    (name, bytes) => store.advance(name, bytes),
    (name, bytes) => putInPieces(store, name, bytes),
  ];
}

/** As the output folder is opened. */
const inFolder = { temporary: { folder: ".work/tmp" } };
const bytes = Buffer.from("bytes");

describe("the folder of a file store", () => {
  test("is created with the first write, not before", async () => {
    const folder = await temporaryFolder();
    const store = openFileStore(join(folder, "x", "y"));
    await store.get("a");
    await store.list("");
    await store.remove("a");
    expect(await readdir(folder)).toEqual([]);
    await store.replace("a", bytes);
    expect(await readdir(join(folder, "x", "y"))).toContain("a");
  });

  test("has only the files once they are flushed", async () => {
    const folder = await temporaryFolder();
    const store = openFileStore(folder);
    await Promise.all([store.put("o/1", bytes), store.put("o/2", bytes), store.replace("pointer", bytes)]);
    await store.advance("g/1", bytes);
    await store.advance("g/1", bytes);
    await store.flush();
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(["g", "g/1", "o", "o/1", "o/2", "pointer"]);
  });

  test("loses folders that become empty, up to the root", async () => {
    const folder = await temporaryFolder();
    const store = openFileStore(join(folder, "root"));
    await store.put("a/b/c/d", bytes);
    await store.put("a/e", bytes);
    await store.flush();
    await store.remove("a/b/c/d");
    expect(await readdir(join(folder, "root", "a"))).toEqual(["e"]);
    await store.remove("a/e");
    expect(await readdir(join(folder, "root"))).toEqual([]);
  });

  test("may be removed between two writes", async () => {
    const folder = await temporaryFolder();
    const store = openFileStore(join(folder, "root"));
    await store.put("a/b", bytes);
    await store.flush();
    await rm(join(folder, "root"), { recursive: true });
    await store.put("a/c", bytes);
    await store.flush();
    expect((await store.list("")).map((entry) => entry.name)).toEqual(["a/c"]);
  });

  test("is never inside a .git folder", async () => {
    const folder = await temporaryFolder();
    const store = openFileStore(join(folder, ".git", "hooks"));
    await expect(store.put("post-commit", bytes)).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    expect(await readdir(folder)).toEqual([]);
  });

  test("is reported if a file is in its place", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "mine");
    const store = openFileStore(folder);
    const writes = [() => store.put("file/a", bytes), () => openFileStore(join(folder, "file")).replace("a", bytes)];
    for (const write of writes) {
      await expect(write()).rejects.toMatchObject({
        code: "OUTPUT_UNUSABLE",
        message: expect.stringContaining(join(folder, "file")),
      });
    }
    expect(await readFile(join(folder, "file"), "utf8")).toBe("mine");
    expect(await store.get("file/a")).toBeUndefined();
  });
});

describe("a link in the path", () => {
  test.each(["snapshot", "snapshot/stories", ".work", ".work/tmp"])("%s is never written through", async (place) => {
    const folder = await temporaryFolder();
    const root = join(folder, "root");
    await mkdir(join(root, place, ".."), { recursive: true });
    await mkdir(join(folder, "outside", "stories"), { recursive: true });
    await writeFile(join(folder, "outside", "stories", "a"), "canary");
    await writeFile(join(folder, "outside", "a"), "canary");
    await symlink(join(folder, "outside"), join(root, place));
    const name = "snapshot/stories/a";
    const store = openFileStore(root, inFolder);
    for (const write of waysToWrite(store)) {
      await expect(write(name, bytes)).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    }
    if (place.startsWith("snapshot")) {
      await expect(store.remove(name)).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    } else {
      await expect(removeTemporaryFiles(root, inFolder)).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    }
    expect((await readdir(join(folder, "outside"), { recursive: true })).sort()).toEqual(["a", "stories", "stories/a"]);
    expect(await readFile(join(folder, "outside", "a"), "utf8")).toBe("canary");
  });

  test("is refused as the root", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "real"));
    await symlink(join(folder, "real"), join(folder, "root"));
    await expect(openFileStore(join(folder, "root")).put("a", bytes)).rejects.toMatchObject({
      code: "OUTPUT_UNUSABLE",
      message: expect.stringContaining("is a link"),
    });
    expect(await readdir(join(folder, "real"))).toEqual([]);
  });

  test("is replaced, not followed, in the place of a file", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "outside"), "bytes");
    await mkdir(join(folder, "root"));
    for (const name of ["put", "replace", "finish"]) await symlink(join(folder, "outside"), join(folder, "root", name));
    const store = openFileStore(join(folder, "root"));
    await store.put("put", bytes);
    await putInPieces(store, "finish", bytes);
    await store.replace("replace", Buffer.from("other"));
    for (const name of ["put", "replace", "finish"]) {
      await expect(readlink(join(folder, "root", name))).rejects.toMatchObject({ code: "EINVAL" });
    }
    expect(await readFile(join(folder, "outside"), "utf8")).toBe("bytes");
  });
});

describe("files of an interrupted write", () => {
  test("are in their own folder, and are removed on cleanup", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, ".work", "tmp"), { recursive: true });
    await writeFile(join(folder, ".work", "tmp", ".0123456789abcdef.offprint-tmp"), "half");
    await writeFile(join(folder, ".work", "stage.json"), "{}");
    await removeTemporaryFiles(folder, inFolder);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual([".work", ".work/stage.json"]);
    await removeTemporaryFiles(folder, inFolder);
    await removeTemporaryFiles(join(folder, "missing"), inFolder);
  });

  test("are not listed with the files, and are removed without touching others", async () => {
    const folder = await temporaryFolder();
    const store = openFileStore(folder, { temporary: "beside" });
    await store.put("a/b", bytes);
    await writeFile(join(folder, "a", ".0123456789abcdef.offprint-tmp"), "half");
    await writeFile(join(folder, "a", ".mine.tmp"), "mine");
    expect((await store.list("")).map((entry) => entry.name)).toEqual(["a/.mine.tmp", "a/b"]);
    await removeTemporaryFiles(folder, { temporary: "beside" });
    expect((await readdir(join(folder, "a"))).sort()).toEqual([".mine.tmp", "b"]);
  });
});

describe("a full disk", () => {
  test("fails with NO_SPACE, keeps existing files and leaves no partial file", async () => {
    const folder = await temporaryFolder();
    const root = join(folder, "small");
    await mkdir(root);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "offprint-test", root], { stdio: "ignore" });
    onTestFinished(() => void execFileSync("umount", ["-l", root]));
    const store = openFileStore(root);
    await store.put("o/kept", Buffer.alloc(100_000, 1));
    await store.replace("pointer", bytes);
    await store.flush();
    const tooLarge = Buffer.alloc(400_000, 2);
    for (const write of waysToWrite(store)) {
      await expect(write("pointer", tooLarge)).rejects.toMatchObject({ code: "NO_SPACE", exitCode: 12 });
    }
    await store.flush();
    expect((await store.list("")).map(({ name, size }) => [name, size])).toEqual([
      ["o/kept", 100_000],
      ["pointer", 5],
    ]);
    await store.put("o/small", Buffer.alloc(50_000, 3));
    await store.flush();
    expect((await stat(join(root, "o", "small"))).size).toBe(50_000);
  });
});

// @module-tag long
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { withChecksum } from "../../src/content/tree/notes-checksum.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { sync } from "../../src/sync/sync.js";
import { verifyOutput } from "../../src/sync/verify-output.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

/** What a power cut, a full disk or a person may leave of the list of our files. */
const ways: Record<string, (bytes: Buffer) => Buffer> = {
  zeros: (bytes) => Buffer.alloc(bytes.length),
  "zeros in its first block": (bytes) => Buffer.concat([Buffer.alloc(64), bytes.subarray(64)]),
  "{}": () => Buffer.from("{}"),
  null: () => Buffer.from("null\n"),
  nothing: () => Buffer.alloc(0),
  "its first half": (bytes) => bytes.subarray(0, bytes.length >> 1),
};

async function projectOf(space: TinySpace) {
  const dir = await temporaryFolder();
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${space.url}", token: test-token }\nqueue: { retries: 0 }\ncontent: { formats: [json, markdown] }\n`,
  );
  const content = join(dir, "output", "content");
  const config = () => loadConfig({ cwd: dir, env: {} });
  return {
    content,
    notes: join(content, ".offprint.json"),
    index: join(content, "index.json"),
    sync: async () => sync({ config: await config() }),
    verify: async () => verifyOutput(openOutput((await config()).output), await config()),
    /** Texts of the pages and records by path: without the files about the export itself. */
    async pages(): Promise<Record<string, string>> {
      const entries = await readdir(content, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      const own = paths.map((path) => path.slice(content.length + 1)).filter((path) => !history.test(path));
      return Object.fromEntries(await Promise.all(own.map(async (path) => [path, await textOf(join(content, path))])));
    },
  };
}

const history = /^(?:\.offprint.*|index\.json|changes\.json|redirects\.json|_redirects)$/;

async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/** A page goes, one moves, one is edited. */
function edit(space: TinySpace): void {
  space.stories = [
    { slug: "home", headline: "Home, again" },
    { slug: "blog/moved", headline: "First" },
  ];
  space.cv += 10;
}

async function synced() {
  const space = await startTinySpace();
  const project = await projectOf(space);
  await project.sync();
  const damage = async (way: string) => writeFile(project.notes, ways[way]!(await readFile(project.notes)));
  /** The pages of a folder that was never damaged. */
  const fresh = async () => {
    const other = await projectOf(space);
    await other.sync();
    return other.pages();
  };
  return { space, ...project, damage, fresh };
}

const lostFiles: Record<string, (path: string) => Promise<void>> = {
  "are gone": (path) => rm(path),
  "are zeros": async (path) => writeFile(path, Buffer.alloc((await readFile(path)).length)),
};

describe.each(Object.entries(lostFiles))("a record whose files %s, but for its head", (_, lose) => {
  test.each([false, true])("is written again, and no old page stays; the space has changed: %s", async (hasChanged) => {
    const { space, sync, verify, content, pages, fresh } = await synced();
    const record = join(content, ".offprint");
    for (const name of await readdir(record)) await lose(join(record, name));
    await writeFile(join(content, "markdown/default/blog/mine.md"), "mine");
    if (hasChanged) edit(space);
    const { outcome, problems } = await sync();
    expect(outcome).toBe(hasChanged ? "committed" : "unchanged");
    expect(problems.filter(({ code }) => code === "CONTENT_BLOCKED")).toEqual([]);
    expect(await pages()).toEqual({ ...(await fresh()), "markdown/default/blog/mine.md": "mine" });
    expect(await verify()).toMatchObject({ problems: [] });
  });
});

describe.each(Object.keys(ways))("a list of files of which is left: %s", (way) => {
  test("is reported by verify, and written again by the next sync", async () => {
    const { sync, verify, damage, notes } = await synced();
    const whole = await textOf(notes);
    await damage(way);
    expect((await verify())?.problems).toEqual([
      expect.objectContaining({ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(".offprint.json") }),
    ]);
    expect(await sync()).toMatchObject({ outcome: "unchanged", content: { written: 0 } });
    expect(await verify()).toMatchObject({ problems: [] });
    expect(await textOf(notes)).toBe(whole);
  });

  test.each(["at once", "after verify"])("leaves no old page where the space has changed too, %s", async (when) => {
    const { space, sync, verify, damage, pages, fresh } = await synced();
    await damage(way);
    if (when === "after verify") await verify();
    edit(space);
    expect(await sync()).toMatchObject({ outcome: "committed", problems: [] });
    expect(await pages()).toEqual(await fresh());
    expect(await verify()).toMatchObject({ problems: [] });
  });

  test("leaves no file of an interrupted earlier export", async () => {
    const { space, sync, damage, content, index, pages, fresh } = await synced();
    edit(space);
    await sync();
    // As if power was cut behind the last write of the notes: the index is still gone, what was due is listed.
    await rm(index);
    await damage(way);
    space.stories.pop();
    space.cv += 10;
    await sync();
    expect(await pages()).toEqual(await fresh());
    expect(await readdir(content)).not.toContain(".offprint-due.json");
  });

  test("removes no file of a person: not next to ours, not in their place, not an edited one of ours", async () => {
    const { space, sync, damage, content, pages } = await synced();
    const mine = {
      "markdown/default/blog/mine.md": "---\nuuid: mine\n---\n",
      "markdown/default/blog/second.md": "---\nuuid: edited\n---\n",
      "notes.txt": "mine",
    };
    for (const [path, text] of Object.entries(mine)) await writeFile(join(content, path), text);
    await damage(way);
    edit(space);
    await sync();
    expect(await pages()).toMatchObject(mine);
  });
});

describe("an index that is all zeros", () => {
  test("is written again", async () => {
    const { sync, verify, index } = await synced();
    const whole = await textOf(index);
    await writeFile(index, Buffer.alloc(whole.length));
    expect((await verify())?.problems).toEqual([expect.objectContaining({ code: "SNAPSHOT_DAMAGED" })]);
    await writeFile(index, Buffer.alloc(whole.length));
    expect(await sync()).toMatchObject({ outcome: "unchanged" });
    expect(await textOf(index)).toBe(whole);
  });
});

describe("a content tree of another version of this program", () => {
  const older = async ({ notes, index }: Awaited<ReturnType<typeof synced>>) => {
    const then = (await textOf(notes)).replace(/^\{"format":\d+/, '{"format":1').replace(/,"checksum":"\w+"/, "");
    await writeFile(notes, withChecksum(then));
    const written = JSON.parse(await textOf(index)) as object;
    await writeFile(index, `${JSON.stringify({ ...written, format: 1, settings: "of then" }, null, 1)}\n`);
  };

  test("is no damage for verify, which prints the command to run, and leaves the tree unchanged", async () => {
    const project = await synced();
    const before = await project.pages();
    await older(project);
    const found = await project.verify();
    expect(found).toMatchObject({
      problems: [],
      content: { notes: [{ code: "CONTENT_OUTDATED", hint: expect.stringContaining("offprint export") }] },
    });
    expect(await project.pages()).toEqual(before);
    expect(await readdir(project.content)).toContain("index.json");
  });

  test("is damaged if a file is missing", async () => {
    const project = await synced();
    await older(project);
    await rm(join(project.content, "links.json"));
    expect((await project.verify())?.problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining("links.json") }),
    ]);
  });

  test("is updated to this version by the next sync, with one request", async () => {
    const project = await synced();
    const whole = await textOf(project.notes);
    await older(project);
    const before = project.space.requests;
    const report = await project.sync();
    expect(report.outcome).toBe("unchanged");
    expect(report.problems.map(({ code }) => code)).not.toContain("SNAPSHOT_DAMAGED");
    expect(project.space.requests - before).toBe(1);
    expect(await textOf(project.notes)).toBe(whole);
    expect(await project.verify()).toMatchObject({ problems: [], content: { notes: [] } });
  });
});

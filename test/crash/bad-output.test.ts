import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pictureOf } from "../support/crash-project.js";
import { type SyncFolder, syncFolder } from "../support/sync-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

async function project(more = ""): Promise<{ space: TinySpace; folder: SyncFolder }> {
  const space = await startTinySpace();
  return { space, folder: await syncFolder(`source: { url: "${space.url}", token: test-token }\n${more}`) };
}

describe("a person's files in the content folder", () => {
  test("are never touched, even if all stories go", async () => {
    const { space, folder } = await project();
    const own = join(folder.output, "content", "markdown", "default", "own");
    await mkdir(own, { recursive: true });
    await writeFile(join(own, "notes.md"), "mine");
    await folder.sync();
    space.stories.push({ slug: "own/story", headline: "Story" });
    space.cv += 10;
    await folder.sync();
    space.stories.pop();
    space.cv += 10;
    await folder.sync();
    expect(await readFile(join(own, "notes.md"), "utf8")).toBe("mine");
    await expect(readFile(join(own, "story.md"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("in the place of one of ours is kept and reported, with a hint", async () => {
    const { folder } = await project();
    const place = join(folder.output, "content", "markdown", "default", "home.md");
    await mkdir(join(place, ".."), { recursive: true });
    await writeFile(place, "mine");
    const { problems } = await folder.sync();
    expect(problems).toContainEqual(expect.objectContaining({ message: expect.stringContaining("home.md") }));
    expect(problems.find(({ message }) => message.includes("home.md"))?.hint).toContain("Move that file away");
    expect(await readFile(place, "utf8")).toBe("mine");
  });

  test("a foreign index.json stops the export with a hint, and is kept", async () => {
    const { folder } = await project();
    const index = join(folder.output, "content", "index.json");
    await mkdir(join(index, ".."), { recursive: true });
    await writeFile(index, '{"mine":true}');
    await expect(folder.sync()).rejects.toMatchObject({
      code: "OUTPUT_UNUSABLE",
      message: expect.stringContaining("index.json"),
      hint: expect.stringContaining("content.dir"),
    });
    expect(await readFile(index, "utf8")).toBe('{"mine":true}');
    await rm(index);
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", content: { removed: 0 } });
  });
});

describe("a link in the place of a folder is refused, and nothing is written through it", () => {
  test("the output folder", async () => {
    const { folder } = await project();
    const target = join(folder.dir, "elsewhere");
    await mkdir(target);
    await symlink(target, folder.output);
    await expect(folder.sync()).rejects.toMatchObject({
      code: "OUTPUT_UNUSABLE",
      message: `${folder.output} is a link.`,
      hint: expect.stringContaining("Name the folder that it points to"),
    });
    expect(await pictureOf(target)).toEqual(new Map());
  });

  test.each(["snapshot", "snapshot/stories", ".work", "content", "content/markdown", "assets"])("%s", async (name) => {
    const { space, folder } = await project("assets: { download: true }\n");
    await folder.sync();
    await rm(join(folder.output, ".work"), { recursive: true, force: true });
    const place = join(folder.output, name);
    const target = join(folder.dir, "elsewhere");
    await mkdir(place, { recursive: true });
    await rename(place, target);
    await symlink(target, place);
    const before = await pictureOf(target);
    space.stories[1]!.headline = "First, edited";
    space.image = Buffer.concat([space.image, Buffer.from("!")]);
    space.stories[0]!.headline = "Home, edited";
    space.cv += 10;
    await expect(folder.sync({ full: true })).rejects.toMatchObject({
      code: "OUTPUT_UNUSABLE",
      message: `${place} is a link.`,
    });
    expect(await pictureOf(target)).toEqual(before);
    // Nothing was lost: with the folder back in its place the next sync goes on.
    await rm(place);
    await rename(target, place);
    await folder.sync();
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged" });
  });
});

test("refuses an output folder below a file, with its name", async () => {
  const { folder } = await project("output: { dir: occupied/output }\n");
  await writeFile(join(folder.dir, "occupied"), "a file");
  await expect(folder.sync()).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE", hint: expect.stringMatching(/./) });
  expect(await readFile(join(folder.dir, "occupied"), "utf8")).toBe("a file");
});

test("refuses a file in the place of a folder, with its name, and keeps it", async () => {
  const { folder } = await project();
  await mkdir(folder.output);
  await writeFile(join(folder.output, "snapshot"), "mine");
  await expect(folder.sync()).rejects.toMatchObject({
    code: "OUTPUT_UNUSABLE",
    message: `${join(folder.output, "snapshot")} is a file, not a folder.`,
  });
  expect(await readFile(join(folder.output, "snapshot"), "utf8")).toBe("mine");
});

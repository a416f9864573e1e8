import { mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { type EditableSpace, startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { type SyncFolder, sourceYaml, syncFolder } from "../support/sync-folder.js";

async function spaceAndFolder(more = ""): Promise<{ space: EditableSpace; folder: SyncFolder }> {
  const space = await startEditableSpace({ stories: [{ name: "One", slug: "one", component: "page" }] });
  onTestFinished(() => space.close());
  return { space, folder: await syncFolder(sourceYaml(space.url, `${more}content: { formats: [] }\n`)) };
}

const publishArticle = (space: EditableSpace) =>
  space.publish(({ stories }) => stories.push({ name: "Two", slug: "two", component: "article" }));

test("prints types or writes them to a file, in each format", async () => {
  const { folder } = await spaceAndFolder();
  await folder.sync();
  const cwd = folder.dir;
  const printed = await runCommand(["types"], { cwd });
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining("export type Page = {") });
  const written = await runCommand(["types", "--zod", "--out", "types.ts", "--json"], { cwd });
  expect(JSON.parse(written.stdout)).toMatchObject({ schema: 1, generation: 1, format: "zod", written: true });
  expect(await readFile(join(cwd, "types.ts"), "utf8")).toContain("export const PageSchema = z.object({");
  const schema = await runCommand(["types", "--json-schema"], { cwd });
  expect(JSON.parse(schema.stdout)).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
});

test.each([[], ["--zod"], ["--json-schema"]])(
  "--check names the component and field that differ (%s)",
  async (...format) => {
    const { space, folder } = await spaceAndFolder();
    await folder.sync();
    const cwd = folder.dir;
    const file = join(cwd, "types.ts");
    await runCommand(["types", ...format, "--out", file], { cwd });
    expect(await runCommand(["types", "--check", "--out", file], { cwd })).toMatchObject({ code: 0 });
    const text = await readFile(file, "utf8");
    expect(text).toContain("headline");
    await writeFile(file, text.replaceAll("headline", "heading"));
    const { code, stdout } = await runCommand(["types", "--check", "--out", file, "--json"], { cwd });
    expect(code).toBe(10);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { kind: "removed", component: "page", field: "heading", snapshot: null },
      { kind: "added", component: "page", field: "headline", file: null },
    ]);
    await runCommand(["types", ...format, "--out", file], { cwd });
    await publishArticle(space);
    await folder.sync();
    const after = await runCommand(["types", "--check", "--out", file], { cwd });
    expect(after.code).toBe(10);
    expect(after.stderr).toContain("article is in the content, and not in the file");
  },
);

/** Returns the command that a message suggests, as shell words. */
function advised(message: string): string {
  return /Run `offprint ([^`]+)`/.exec(message)?.[1] ?? "";
}

test.each([[["--zod"]], [["--json-schema"]], [["--rich-text", "html"]], [["--zod", "--depth", "2"]], [[]]])(
  "compares a file written with %s under the same flags, and prints the full command to fix it",
  async (flags) => {
    const { space, folder } = await spaceAndFolder();
    await folder.sync();
    const cwd = folder.dir;
    await runCommand(["types", ...flags, "--out", "the types.ts"], { cwd });
    const text = await readFile(join(cwd, "the types.ts"), "utf8");
    expect(text).toContain(`Written by \`${["offprint types", ...flags].join(" ")}\` from`);
    expect(await runCommand(["types", "--check", "--out", "the types.ts"], { cwd })).toMatchObject({ code: 0 });
    await publishArticle(space);
    await folder.sync();
    const { code, stderr } = await runCommand(["types", "--check", "--out", "the types.ts"], { cwd });
    expect(code).toBe(10);
    expect(advised(stderr)).toBe(["types", ...flags, "--out 'the types.ts'"].join(" "));
    await runCommand(["types", ...flags, "--out", "the types.ts"], { cwd });
    expect(await runCommand(["types", "--check", "--out", "the types.ts"], { cwd })).toMatchObject({ code: 0 });
  },
);

test("rich text and relations follow the flags in the file unless a flag overrides them", async () => {
  const folder = await syncFolder(sourceYaml('"demo:"'));
  const body = { type: "doc", content: [] };
  const stories = [
    story(1, { content: { _uid: "a", component: "author" } }),
    story(2, { content: { _uid: "b", component: "article", author: uuid(1), body } }),
  ];
  await commitSample({ editions: { "published/default": stories } }, openFileStore(folder.output));
  const cwd = folder.dir;
  const check = (...flags: string[]) => runCommand(["types", "--check", "--out", "cms.ts", ...flags], { cwd });
  await runCommand(["types", "--rich-text", "html", "--depth", "1", "--out", "cms.ts"], { cwd });
  expect(await readFile(join(cwd, "cms.ts"), "utf8")).toContain("AuthorStory | StoryReference");
  expect(await check()).toMatchObject({ code: 0 });
  const references = await check("--depth", "0");
  expect(references.code).toBe(10);
  expect(advised(references.stderr)).toBe("types --rich-text html --depth 0 --out cms.ts");
  expect(await check("--rich-text", "document")).toMatchObject({ code: 10 });
  const schema = await check("--json-schema");
  expect(schema).toMatchObject({ code: 10, stderr: expect.stringContaining("TypeScript without schemas") });
  expect(await check("--depth", "11")).toMatchObject({ code: 2 });
});

test("compares the file that a sync writes with the settings", async () => {
  const { space, folder } = await spaceAndFolder("types: { file: src/cms.ts, format: zod }\n");
  await folder.sync();
  const cwd = folder.dir;
  expect(await runCommand(["types", "--check"], { cwd })).toMatchObject({ code: 0 });
  const written = await readFile(join(cwd, "src", "cms.ts"), "utf8");
  const again = await runCommand(["types", "--zod", "--out", "src/cms.ts", "--json"], { cwd });
  expect(JSON.parse(again.stdout)).toMatchObject({ written: false });
  await writeFile(join(cwd, "src", "cms.ts"), written.replaceAll("headline", "heading"));
  const { code, stderr } = await runCommand(["types", "--check"], { cwd });
  expect(code).toBe(10);
  expect(advised(stderr)).toBe("types --zod --out src/cms.ts");
  expect(stderr).toContain("`offprint sync`");
  await folder.configure(sourceYaml(space.url, "types: { file: src/cms.ts }\ncontent: { formats: [] }\n"));
  expect(await runCommand(["types", "--check"], { cwd })).toMatchObject({
    code: 10,
    stderr: expect.stringContaining("is TypeScript with schemas of zod, not TypeScript without schemas"),
  });
});

test("compares a file of an earlier version, without flags in its first line, in its format", async () => {
  const { folder } = await spaceAndFolder();
  await folder.sync();
  const cwd = folder.dir;
  await runCommand(["types", "--zod", "--out", "cms.ts"], { cwd });
  const text = await readFile(join(cwd, "cms.ts"), "utf8");
  await writeFile(join(cwd, "cms.ts"), text.replace(" --zod`", "`").replace("zod/v4", "zod"));
  expect(await runCommand(["types", "--check", "--out", "cms.ts"], { cwd })).toMatchObject({ code: 0 });
  expect(await runCommand(["types", "--zod", "--out", "cms.ts"], { cwd })).toMatchObject({ code: 0 });
  expect(await readFile(join(cwd, "cms.ts"), "utf8")).toBe(text);
});

test("--check of a foreign file says to move it away before suggesting a command", async () => {
  const { folder } = await spaceAndFolder();
  await folder.sync();
  const cwd = folder.dir;
  await writeFile(join(cwd, "cms.ts"), "export interface Article { title: string }\n");
  const { code, stderr } = await runCommand(["types", "--check", "--out", "cms.ts"], { cwd });
  expect(code).toBe(10);
  expect(stderr).toContain("Offprint has not written this file, and keeps it: move it away first.");
  expect(advised(stderr)).toBe("types --out cms.ts");
  await rename(join(cwd, "cms.ts"), join(cwd, "own.ts"));
  expect(await runCommand(["types", "--out", "cms.ts"], { cwd })).toMatchObject({ code: 0 });
});

test("--check ignores comments and formatting", async () => {
  const { folder } = await spaceAndFolder();
  await folder.sync();
  const file = join(folder.dir, "types.ts");
  await runCommand(["types", "--out", file], { cwd: folder.dir });
  const text = await readFile(file, "utf8");
  const formatted = text
    .replaceAll('"', "'")

    .replace(/filled in \d+/g, "filled in 0");
  await writeFile(file, formatted.replace(/: ([^;{\n]+) \| ([^;{\n]+);\n/g, ":\n    | $1\n    | $2;\n"));
  expect(await runCommand(["types", "--check", "--out", file], { cwd: folder.dir })).toMatchObject({ code: 0 });
});

test("--check without a file or a snapshot says what to run", async () => {
  const { folder } = await spaceAndFolder();
  const cwd = folder.dir;
  expect(await runCommand(["types"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining("sync") });
  await folder.sync();
  expect(await runCommand(["types", "--check"], { cwd })).toMatchObject({ code: 2 });
  const missing = await runCommand(["types", "--check", "--out", "none.ts"], { cwd });
  expect(missing).toMatchObject({ code: 10, stderr: expect.stringContaining("There is no file") });
});

test("a sync writes types.file after a commit, and again only if its bytes change", async () => {
  const { space, folder } = await spaceAndFolder("types: { file: src/cms.ts }\n");
  const file = join(folder.dir, "src", "cms.ts");
  await folder.sync();
  expect(await readFile(file, "utf8")).toContain("export type Page = {");
  const { mtimeMs } = await stat(file);
  await space.publish(({ stories }) => {
    stories[0] = { ...stories[0]!, headline: "Another headline", publishedAt: "2024-05-05T00:00:00.000Z" };
  });
  expect(await folder.sync()).toMatchObject({ outcome: "committed" });
  expect((await stat(file)).mtimeMs).toBe(mtimeMs);
  await publishArticle(space);
  await folder.sync();
  expect(await readFile(file, "utf8")).toContain("export type Article = {");
  await rm(file);
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged" });
  expect(await readFile(file, "utf8")).toContain("export type Article = {");
  await folder.configure(
    sourceYaml(space.url, "types: { file: src/cms.ts, format: json-schema }\ncontent: { formats: [] }\n"),
  );
  await folder.sync();
  expect(await readFile(file, "utf8")).toContain("$schema");
});

test("keeps a linked types.file, and writes the file that it points to", async () => {
  const { space, folder } = await spaceAndFolder("types: { file: src/cms.ts }\n");
  await mkdir(join(folder.dir, "src"));
  await symlink("../shared/link.ts", join(folder.dir, "src/cms.ts"));
  await mkdir(join(folder.dir, "shared"));
  await symlink("types.ts", join(folder.dir, "shared/link.ts"));
  for (const type of ["Page", "Article"]) {
    await folder.sync();
    expect(await readlink(join(folder.dir, "src/cms.ts"))).toBe("../shared/link.ts");
    expect((await readdir(join(folder.dir, "shared"))).sort()).toEqual(["link.ts", "types.ts"]);
    expect(await readFile(join(folder.dir, "shared/types.ts"), "utf8")).toContain(`export type ${type} = {`);
    if (type === "Page") await publishArticle(space);
  }
});

test("keeps a foreign file, and the sync exits with 3 until it is moved away", async () => {
  const { folder } = await spaceAndFolder("types: { file: cms.ts }\n");
  const file = join(folder.dir, "cms.ts");
  await writeFile(file, "export const mine = 1;\n");
  for (const outcome of ["committed", "unchanged"]) {
    const { code, stdout } = await runCommand(["sync", "--json"], { cwd: folder.dir });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ outcome, problems: [{ code: "TYPES_BLOCKED" }] });
    expect(await readFile(file, "utf8")).toBe("export const mine = 1;\n");
  }
  const other = await runCommand(["types", "--out", file], { cwd: folder.dir });
  expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining("TYPES_BLOCKED") });
  await rm(file);
  expect(await runCommand(["sync"], { cwd: folder.dir })).toMatchObject({ code: 0 });
  expect(await readFile(file, "utf8")).toContain("export type Page = {");
});

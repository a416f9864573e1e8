import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function project() {
  const space = await startEditableSpace({
    stories: ["a", "b", "c"].map((slug) => ({ name: slug, slug })),
    datasources: [{ slug: "colors", dimensions: [], entries: { red: "Rot" } }],
  });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand([...args, "--json"], { cwd: dir });
    return { code, stderr, document: JSON.parse(stdout) };
  };
  expect((await run("sync")).code).toBe(0);
  await space.publish(({ stories, datasources }) => {
    stories.splice(0, 1);
    Object.assign(stories[0] ?? {}, { slug: "moved/b" });
    stories.push({ name: "d", slug: "d" });
    Object.assign(datasources[0]?.entries ?? {}, { blue: "Blau" });
  });
  expect((await run("sync")).code).toBe(0);
  return { space, dir, run };
}

test("diff lists the differences of two generations by story and by part", async () => {
  const { run, dir } = await project();
  const { code, document } = await run("diff");
  expect(code).toBe(0);
  expect(document).toMatchObject({
    from: 1,
    to: 2,
    parts: [{ part: expect.stringMatching(/^entries\//), added: 1, changed: 0, removed: 0 }],
  });
  expect(document.stories.added.map(({ full_slug }: { full_slug: string }) => full_slug)).toEqual(["d"]);
  expect(document.stories.removed.map(({ full_slug }: { full_slug: string }) => full_slug)).toEqual(["a"]);
  expect(document.stories.moved).toMatchObject([{ from: "b", full_slug: "moved/b" }]);
  expect((await runCommand(["diff", "1", "2"], { cwd: dir })).stdout).toContain("b → moved/b");
  expect((await run("diff", "2", "1")).document.stories.added).toHaveLength(1);
  expect((await run("diff", "7")).code).toBe(2);
});

test("a second rollback goes one step further back, never forward to the newer state", async () => {
  const { run, space } = await project();
  await space.publish(({ stories }) => void stories.push({ name: "e", slug: "e" }));
  expect((await run("sync")).document.generation).toBe(3);
  expect((await run("rollback")).document).toMatchObject({ generation: 4, from: 2 });
  expect((await run("rollback")).document).toMatchObject({ generation: 5, from: 1 });
  expect(await run("rollback")).toMatchObject({ code: 2, document: { problems: [{ code: "SNAPSHOT_MISSING" }] } });
});

test("a rollback makes a new generation with the old records; sync leaves it alone until release", async () => {
  const { run, space, dir } = await project();
  const status = async () => (await runCommand(["status", "--offline"], { cwd: dir })).stdout;
  expect(await status()).toMatch(/^confirmed {4}.* ago at cv/m);
  const back = await run("rollback");
  expect(back).toMatchObject({ code: 0, document: { generation: 3, from: 1, held: true } });
  expect((await run("diff", "1", "3")).document.stories).toEqual({ added: [], changed: [], removed: [], moved: [] });
  expect((await run("verify")).code).toBe(0);

  const before = space.requests();
  const held = await run("sync");
  expect(held).toMatchObject({ code: 0, document: { outcome: "kept", generation: 3, problems: [{ code: "HELD" }] } });
  expect(space.requests()).toBe(before);
  expect((await run("status")).document).toMatchObject({ generation: 3, held: true });
  expect(await status()).toMatch(/^confirmed {4}not while it is held$/m);

  expect(await run("rollback", "--release")).toMatchObject({ code: 0, document: { generation: 4, held: false } });
  expect(await status()).toMatch(/^confirmed {4}not yet: run `offprint sync`$/m);
  expect((await run("rollback", "--release")).code).toBe(2);
  expect(await run("sync")).toMatchObject({ code: 0, document: { outcome: "committed", generation: 5 } });
  expect((await run("diff", "2", "5")).document.stories).toEqual({ added: [], changed: [], removed: [], moved: [] });
});

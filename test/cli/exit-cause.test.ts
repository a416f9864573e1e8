import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

const tooLarge = "assets: { download: true, maxBytes: 8";

async function project(assets: string) {
  const space = await startTinySpace();
  const dir = await temporaryFolder();
  const configure = (text: string) =>
    writeFile(
      join(dir, "sync.config.yaml"),
      `source: { url: "${space.url}", token: token-of-test }\n${text}\nqueue: { retries: 0 }\n`,
    );
  await configure(assets);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { cwd: dir });
    // No command claims success together with a failure.
    if (code !== 0) expect(stdout + stderr).not.toContain("✔");
    return { code, stdout, stderr, last: stderr.trimEnd().split("\n").at(-1) ?? "" };
  };
  const document = async (...args: string[]) =>
    JSON.parse((await runCommand([...args, "--json"], { cwd: dir })).stdout) as Record<string, unknown>;
  return { space, dir, configure, run, document };
}

test("warns about an asset that is too large; the build continues, and content has its URL", async () => {
  const { space, dir, run, document } = await project(`${tooLarge} }`);
  const first = await run("sync");
  expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/! \S+image\.png is larger .*ASSET_FAILED/)]);
  expect(first.stderr).toContain("✔ Generation 1");
  const page = await readFile(join(dir, "output/content/stories/default/page.json"), "utf8");
  expect(page).toContain(`"filename":"${space.url}/image.png"`);

  const before = space.requests;
  const again = await run("sync");
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("✔ Unchanged")]);
  // The next sync does not request an asset that is too large.
  expect(space.requests - before).toBe(1);
  expect(await run("sync", "-q")).toMatchObject({ code: 0, stderr: "" });
  expect(await document("status")).toMatchObject({
    problems: [{ code: "ASSET_FAILED" }],
    nextSync: { exitCode: 0, because: [] },
  });
  expect((await run("status")).stdout).toMatch(/! \S+image\.png.*\n(?:.*\n)*next sync +exit code 0\n/);
});

test("assets.onFailure: fail makes every sync exit with 3, and the last line says why", async () => {
  const { space, configure, run, document } = await project(`${tooLarge}, onFailure: fail }`);
  const cause =
    /^✖ Exit code 3: http\S+image\.png is larger than .* \[ASSET_FAILED\] → .*assets\.maxBytes.*onFailure: keep/;
  const first = await run("sync");
  expect([first.code, first.last]).toEqual([3, expect.stringMatching(cause)]);
  expect(first.stderr).toContain("Generation 1");
  const unchanged = await run("sync");
  expect([unchanged.code, unchanged.last]).toEqual([3, expect.stringMatching(cause)]);
  expect(unchanged.stderr).toContain("Unchanged");
  const quiet = await run("sync", "-q");
  expect([quiet.code, quiet.stderr.trimEnd()]).toEqual([3, expect.stringMatching(cause)]);
  space.stories[1] = { slug: "blog/first", headline: "Edited" };
  space.cv += 10;
  const edited = await run("sync", "-q");
  expect([edited.code, edited.last]).toEqual([3, expect.stringMatching(cause)]);

  expect(await document("status")).toMatchObject({ nextSync: { exitCode: 3, because: [{ code: "ASSET_FAILED" }] } });
  expect((await run("status")).stdout).toMatch(/✖ \S+image\.png.*\n(?:.*\n)*next sync +exit code 3, .*ASSET_FAILED/);
  // The result is kept, so changing the setting needs no request for the asset.
  await configure(`${tooLarge} }`);
  expect((await run("sync")).code).toBe(0);
});

test("the next sync requests a failed asset again, for any assets.onFailure", async () => {
  const { space, configure, run, dir } = await project("assets: { download: true }");
  const { image } = space;
  // A web page in place of an image: the asset cannot be fetched.
  space.image = Buffer.from("<!doctype html><title>Log in</title>");
  expect(await run("sync")).toMatchObject({ code: 0, stderr: expect.stringContaining("web page") });
  await configure("assets: { download: true, onFailure: fail }");
  expect(await run("sync")).toMatchObject({ code: 3, last: expect.stringContaining("web page") });
  space.image = image;
  expect((await run("sync")).code).toBe(0);
  expect(await readFile(join(dir, "output/content/stories/default/page.json"), "utf8")).not.toContain(space.url);
});

test("--strict, --exit-code and a blocked content file name the cause of the code on the last line", async () => {
  const { dir, run } = await project(`${tooLarge} }`);
  const page = join(dir, "output/content/stories/default/page.json");
  await mkdir(join(page, ".."), { recursive: true });
  await writeFile(page, "mine");
  const blocked = /^✖ Exit code 3: .*page\.json.* \[CONTENT_BLOCKED\] → Move/;
  for (const args of [["sync", "-q"], ["sync", "-q"], ["sync"], ["export"], ["export", "-q"]]) {
    expect(await run(...args)).toMatchObject({ code: 3, last: expect.stringMatching(blocked) });
  }
  expect(await run("status")).toMatchObject({
    stdout: expect.stringMatching(/next sync +exit code 3, .*CONTENT_BLOCKED/),
  });
  // Nothing else has changed, so the next command notices the missing file.
  await rm(page);
  expect((await run("sync")).code).toBe(0);
  expect((await run("verify")).code).toBe(0);
  await writeFile(join(dir, "output/content/links.json"), "mine");
  await rm(join(dir, "output/content/.offprint.json"));
  expect((await run("export")).code).toBe(3);
  await rm(join(dir, "output/content/links.json"));
  expect((await run("export")).code).toBe(0);
  expect((await run("sync")).code).toBe(0);
  expect(await run("sync", "--strict", "-q")).toMatchObject({
    code: 3,
    last: expect.stringMatching(/^✖ Exit code 3: .*\[ASSET_FAILED\] → .*Or leave --strict out\.$/),
  });
  expect(await run("sync", "--exit-code")).toMatchObject({
    code: 9,
    last: expect.stringMatching(/^= Exit code 9: The space did not change\. \[UNCHANGED\] .*--exit-code/),
  });
  // Not a problem, so a scheduled sync sends no mail about it.
  expect(await runCli(["sync", "--exit-code", "-q"], { cwd: dir })).toMatchObject({ code: 9, stderr: "" });
});

test("verify names a damaged file on its last line", async () => {
  const { dir, run } = await project(`${tooLarge} }`);
  await run("sync");
  await writeFile(join(dir, "output/content/stories/default/page.json"), "damaged");
  expect(await run("verify", "-q")).toMatchObject({
    code: 7,
    last: expect.stringMatching(/^✖ Exit code 7: .*page\.json.* → .*`offprint export`/),
  });
  // The first verify removed the index, so that the next sync writes the tree again.
  await run("export");
  await writeFile(join(dir, "output/content/stories/default/page.json"), "damaged");
  expect((await run("verify")).stderr).toMatch(/^✖ Exit code 7: .*\n$/);
});

test("verify names the command that lists the files it only counts", async () => {
  const { dir, run } = await project("assets: { download: false }");
  await run("sync");
  const folder = join(dir, "output/content");
  const files = (await readdir(folder, { recursive: true })).filter((name) => /^[^.].*\.(?:json|md)$/.test(name));
  for (const name of files) await writeFile(join(folder, name), "damaged");
  const { code, stderr } = await run("verify", "--all");
  expect(code, stderr).toBe(7);
  expect(stderr).toMatch(/and \d+ more of [A-Z_]+\n(?:.*\n)*.*→ `offprint verify --all --verbose` lists them\./);
  const { stderr: verbose } = await run("verify", "--all", "--verbose");
  expect(verbose.match(/^✖ .*\[[A-Z_]+\]$/gm)?.length).toBeGreaterThan(2);
  expect(verbose).not.toContain("lists them");
});

test("reports a folder that blocks a content file", async () => {
  const { dir, run } = await project("assets: { download: false }");
  expect((await run("sync")).code).toBe(0);
  const file = join(dir, "output/content/markdown/default/blog/first.md");
  await rm(file);
  await mkdir(file);
  const { code, last } = await run("export");
  expect([code, last]).toEqual([3, expect.stringContaining("CONTENT_BLOCKED")]);
  await rm(file, { recursive: true });
  expect((await run("export")).code).toBe(0);
  expect(await readFile(file, "utf8")).toContain("---");
});

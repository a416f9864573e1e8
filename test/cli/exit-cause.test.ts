import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
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
    // Whatever the command: success is never claimed beside a failure.
    if (code !== 0) expect(stdout + stderr).not.toContain("✔");
    return { code, stdout, stderr, last: stderr.trimEnd().split("\n").at(-1) ?? "" };
  };
  const document = async (...args: string[]) =>
    JSON.parse((await runCommand([...args, "--json"], { cwd: dir })).stdout) as Record<string, unknown>;
  return { space, dir, configure, run, document };
}

test("an asset that is too large is a warning: the build goes on, and content names its URL", async () => {
  const { space, dir, run, document } = await project(`${tooLarge} }`);
  const first = await run("sync");
  expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/! \S+image\.png is larger .*ASSET_FAILED/)]);
  expect(first.stderr).toContain("✔ Generation 1");
  const page = await readFile(join(dir, "output/content/stories/default/page.json"), "utf8");
  expect(page).toContain(`"filename":"${space.url}/image.png"`);

  const before = space.requests;
  const again = await run("sync");
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("✔ Unchanged")]);
  // What is too large is not asked for at every sync.
  expect(space.requests - before).toBe(1);
  expect(await run("sync", "-q")).toMatchObject({ code: 0, stderr: "" });
  expect(await document("status")).toMatchObject({
    problems: [{ code: "ASSET_FAILED" }],
    nextSync: { exitCode: 0, because: [] },
  });
  expect((await run("status")).stdout).toMatch(/! \S+image\.png.*\n(?:.*\n)*next sync +exit code 0\n/);
});

test("assets.onFailure: fail ends every sync with 3, and its last line says why", async () => {
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
  // What was read stays; another mind about it needs no request for the asset.
  await configure(`${tooLarge} }`);
  expect((await run("sync")).code).toBe(0);
});

test("an asset that cannot be fetched is asked for by the next sync, whatever assets.onFailure says", async () => {
  const { space, configure, run, dir } = await project("assets: { download: true }");
  const { image } = space;
  // A web page in place of an image: an asset that cannot be had.
  space.image = Buffer.from("<!doctype html><title>Log in</title>");
  expect(await run("sync")).toMatchObject({ code: 0, stderr: expect.stringContaining("web page") });
  await configure("assets: { download: true, onFailure: fail }");
  expect(await run("sync")).toMatchObject({ code: 3, last: expect.stringContaining("web page") });
  space.image = image;
  expect((await run("sync")).code).toBe(0);
  expect(await readFile(join(dir, "output/content/stories/default/page.json"), "utf8")).not.toContain(space.url);
});

test("--strict, --exit-code and a blocked content file say on the last line what makes the code", async () => {
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
  // Nothing else has changed: the next command sees that the file is gone.
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
  // No problem: a scheduled sync, a process of its own, sends no mail about it.
  expect(await runCli(["sync", "--exit-code", "-q"], { cwd: dir })).toMatchObject({ code: 9, stderr: "" });
});

test("a damaged file is named on the last line of verify", async () => {
  const { dir, run } = await project(`${tooLarge} }`);
  await run("sync");
  await writeFile(join(dir, "output/content/stories/default/page.json"), "damaged");
  expect(await run("verify", "-q")).toMatchObject({
    code: 7,
    last: expect.stringMatching(/^✖ Exit code 7: .*page\.json.* → .*`offprint export`/),
  });
});

test("a folder in the place of a content file blocks that file, and says so", async () => {
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

import { readFileSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const quick = "queue: { retries: 0, timeout: 5s }\n";

/** A project after one sync of a small space, with the contents of its output folder. */
async function syncedProject() {
  const space = await startEditableSpace({ stories: [{ name: "Home", slug: "home" }] });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  const configure = (yaml: string) => writeFile(join(dir, "sync.config.yaml"), yaml);
  await configure(`source: { url: "${space.url}", token: token-of-test }\n${quick}`);
  expect((await runCommand(["sync"], { cwd: dir })).code).toBe(0);
  return { dir, configure, space, before: await contents(dir) };
}

async function contents(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(join(dir, "output"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(dir.length)] = readFileSync(path, "latin1");
  }
  return files;
}

async function serverAnswering(status: number, type: string, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, { "content-type": type }).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("bad input exits with its code and a clear message, and keeps the output", () => {
  test.each([
    [
      "a configuration with several problems",
      "source:\n  url: ftp://x\n  tokn: abc\nqueu: {}\n",
      2,
      [":2:", ":3:", "tokn", "token", ":4:", "queue"],
    ],
    ["a configuration that is no YAML", "source: [\n", 2, ["sync.config.yaml:"]],
    [
      "an unset variable",
      `source: { url: "https://api.example.com", token: "\${NOT_SET_ANYWHERE}" }\n`,
      2,
      ["NOT_SET_ANYWHERE", ":1:"],
    ],
    [
      "a host where nobody listens",
      `source: { url: "http://127.0.0.1:9", token: token-of-test }\n${quick}`,
      5,
      ["127.0.0.1:9"],
    ],
  ])("%s", async (_, yaml, code, said) => {
    const { dir, configure, before } = await syncedProject();
    await configure(yaml);
    const run = await runCommand(["sync"], { cwd: dir });
    expect(run.code).toBe(code);
    for (const text of said) expect(run.stderr).toContain(text);
    expect(run.stdout).toBe("");
    expect(await contents(dir)).toEqual(before);
  });

  test.each([
    ["a token that is refused", 401, "application/json", '{"error":"Unauthorized"}', 4, "token"],
    ["an HTML page in place of JSON", 200, "text/html", "<!doctype html><title>Welcome</title>", 5, "HTML"],
    [
      "a path that is missing: a wrong host",
      404,
      "application/json",
      '["This record could not be found"]',
      5,
      "source.url",
    ],
    ["an answer that is cut", 200, "application/json", '{"stories":[{"id":1', 5, "JSON"],
    ["an answer of another shape", 200, "application/json", '{"hello":1}', 5, "stories"],
  ])("%s", async (_, status, type, body, code, said) => {
    const { dir, configure, before } = await syncedProject();
    await configure(`source: { url: "${await serverAnswering(status, type, body)}", token: token-of-test }\n${quick}`);
    const run = await runCommand(["sync", "--json"], { cwd: dir });
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(said);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 1,
      outcome: "failed",
      problems: [{ hint: expect.stringMatching(/./) }],
    });
    expect(await contents(dir)).toEqual(before);
  });

  test("prints configuration problems in line order, regardless of their hints", async () => {
    const dir = await temporaryFolder();
    const lines = [
      ...["source:", "  url: https://api.example.com/x", "  token: a b", "  version: draft"],
      ...["queue:", "  concurency: 3", "  retries: many", "  bogus: 3", "output: { dir: . }"],
    ];
    await writeFile(join(dir, "sync.config.yaml"), lines.join("\n"));
    const { stderr } = await runCli(["sync"], { cwd: dir });
    expect([...stderr.matchAll(/sync\.config\.yaml:(\d+):/g)].map((match) => Number(match[1]))).toEqual([
      2, 3, 4, 6, 7, 8, 9,
    ]);
  });

  test("says how to create a missing configuration", async () => {
    const run = await runCommand(["sync"], { cwd: await temporaryFolder() });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("offprint init");
  });

  test.each([
    [["sink"]],
    [["sync", "--no-such-flag"]],
    [["serve", "--port", "x"]],
    [["sync", "--allow-stale", "soon"]],
  ])("refuses the arguments %j with code 2", async (args) => {
    expect((await runCli(args, { cwd: await temporaryFolder() })).code).toBe(2);
  });

  test("a missing snapshot", async () => {
    const dir = await temporaryFolder();
    await writeFile(join(dir, "sync.config.yaml"), "source: { url: 'demo:', token: demo }\n");
    for (const command of ["export", "serve", "verify", "status"]) {
      const run = await runCommand([command], { cwd: dir });
      expect(run.code, command).toBe(2);
      expect(run.stderr, command).toContain("offprint sync");
    }
  });
});

describe("with --allow-stale and an unreadable upstream", () => {
  const stale = ["sync", "--allow-stale", "24h", "--json"];

  test("continues with the local snapshot, and first renders an incomplete tree", async () => {
    const { dir, before, space } = await syncedProject();
    await space.close();
    const run = await runCommand(stale, { cwd: dir });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: "kept", generation: 1 });
    expect(await contents(dir)).toEqual(before);
    await rm(join(dir, "output", "content", "index.json"));
    expect((await runCommand(stale, { cwd: dir })).code).toBe(0);
    expect(Object.keys(await contents(dir))).toEqual(Object.keys(before));
  });

  test("says so if the copy was confirmed too long ago", async () => {
    const { dir, space } = await syncedProject();
    await space.close();
    const { code, stderr } = await runCommand(["sync", "--allow-stale", "1ms"], { cwd: dir });
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/--allow-stale does not apply: the copy was confirmed \d+ s ago\.$/m),
    ]);
  });

  test.each([
    ["another source", (yaml: string) => yaml.replace(/http:[^"]*/, "http://127.0.0.1:9")],
    ["an edition that is missing here", (yaml: string) => yaml.replace("token:", "versions: [draft], token:")],
  ])("%s still fails", async (_, change) => {
    const { dir, configure, before, space } = await syncedProject();
    await space.close();
    await configure(change(await readFile(join(dir, "sync.config.yaml"), "utf8")));
    const { code, stderr } = await runCommand(stale, { cwd: dir });
    expect(code).toBe(5);
    expect(stderr).toContain("the copy is of another source, or lacks a configured edition");
    expect(await contents(dir)).toEqual(before);
  });
});

test("hostile slugs stay inside the folder and in separate files", async () => {
  const slugs = [
    "../../etc/passwd",
    "CON",
    "About",
    "about",
    "a/../b",
    ".git/hooks/post-commit",
    "x\\y",
    "nul.txt",
    "trailing. ",
    "ü",
    "%2e%2e/z",
  ];
  const space = await startEditableSpace({
    stories: slugs.map((slug, at) => ({ name: `Story ${at}`, slug, headline: `Headline ${at}` })),
  });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
  expect((await runCommand(["sync"], { cwd: dir })).code).toBe(0);

  expect((await readdir(dir)).sort()).toEqual(["output", "sync.config.yaml"]);
  const files = (await readdir(join(dir, "output", "content"), { recursive: true })).filter((name) =>
    name.endsWith(".md"),
  );
  expect(files).toHaveLength(slugs.length);
  expect(new Set(files.map((name) => name.normalize("NFC").toLowerCase())).size).toBe(slugs.length);
  const texts = await Promise.all(files.map((name) => readFile(join(dir, "output", "content", name), "utf8")));
  for (const at of slugs.keys()) expect(texts.some((text) => text.includes(`Headline ${at}`))).toBe(true);
  expect((await runCommand(["verify"], { cwd: dir })).code).toBe(0);
});

test("keeps a story without content and does not harm the others", async () => {
  const space = await startEditableSpace({
    stories: [
      { name: "Bare", slug: "bare", component: "" },
      { name: "Home", slug: "home" },
    ],
  });
  onTestFinished(() => space.close());
  space.content.bare = ["bare"];
  await space.publish();
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
  const run = await runCommand(["sync", "--json"], { cwd: dir });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ outcome: "committed", stories: { total: 2 } });
});

test.each([
  [["sync", "--quite", "--json"], "unknown option '--quite'"],
  [["--json", "snyc"], "unknown command 'snyc'"],
  [["rollback", "--json", "two"], "Expected the number of a generation"],
])("a wrong command line prints a document with --json: %j", async (args, said) => {
  const { code, stdout, stderr } = await runCli(args, { cwd: await temporaryFolder() });
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: "failed",
    exitCode: 2,
    problems: [
      { code: "USAGE", message: expect.stringContaining(said), hint: expect.stringContaining("offprint --help") },
    ],
  });
});

test("commands without upstream requests need no token", async () => {
  const { dir, configure, space } = await syncedProject();
  await configure(`source: { url: "${space.url}", token: "\${TOKEN_THAT_IS_NOT_SET}" }\n${quick}`);
  for (const args of [["verify"], ["export"], ["status", "--offline"]]) {
    expect([args, (await runCommand(args, { cwd: dir })).code]).toEqual([args, 0]);
  }
  for (const args of [["diff"], ["rollback"]]) {
    const { code, stderr } = await runCommand(args, { cwd: dir });
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining("SNAPSHOT_MISSING")]);
  }
  expect((await runCommand(["sync"], { cwd: dir })).stderr).toContain("TOKEN_THAT_IS_NOT_SET");
});

test("status reports the damage that verify found until a sync reads it again", async () => {
  const { dir } = await syncedProject();
  const folder = join(dir, "output/snapshot/stories/published/default");
  const [shard = ""] = await readdir(folder);
  await writeFile(join(folder, shard), "[]");
  expect((await runCommand(["verify"], { cwd: dir })).code).toBe(7);
  const { stdout } = await runCommand(["status"], { cwd: dir });
  expect(stdout).toMatch(/^damaged +stories\/published\/default\n +run `offprint sync`/m);
  const document = JSON.parse((await runCommand(["status", "--json"], { cwd: dir })).stdout);
  expect(document.damaged).toEqual(["stories/published/default"]);
  expect((await runCommand(["sync"], { cwd: dir })).code).toBe(0);
  expect((await runCommand(["status"], { cwd: dir })).stdout).not.toContain("damaged");
});

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { githubOutputText } from "../../src/cli/github-output.js";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { exportGeneration } from "../../src/content/tree/export-generation.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

const book = { _uid: uuid(901), component: "book", title: "Paper" };
const home = story(1, { slug: "home", content: { _uid: uuid(900), component: "page", featured: [uuid(2)] } });

/** Two generations: a moved book, an edited article, a deleted page, a changed colour. The home page shows the book. */
async function bookshop(more = "") {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "sync.config.yaml"), `source: { url: "demo:", token: demo }\n${more}`);
  const config = await loadConfig({ cwd, env: {} });
  const { store } = openOutput(config.output);
  const commit = async (cv: number, colour: string, ...stories: ReturnType<typeof story>[]) => {
    const parts = {
      datasources: [{ id: 12, name: "Colours", slug: "colours", dimensions: [] }],
      "entries/12": [{ id: 51, name: "red", value: colour, dimension_value: null }],
    };
    const { manifest } = await commitSample({ editions: { "published/default": stories }, parts, cv }, store);
    await exportGeneration({ config, output: store, manifest, assertHeld: async () => undefined });
  };
  const article = (text: string) =>
    story(3, { slug: "journal/first", content: { _uid: uuid(902), component: "article", text } });
  await commit(
    1_700_000_000,
    "#f00",
    home,
    story(2, { slug: "books/paper", content: book }),
    article("Old"),
    story(4, { slug: "about" }),
  );
  await commit(1_700_000_300, "#e00", home, story(2, { slug: "shop/paper", content: book }), article("New"));
  return { cwd, run: (...args: string[]) => runCommand(args, { cwd }) };
}

describe("offprint changes", () => {
  test("prints what docs/changes.md shows", async () => {
    const { run } = await bookshop();
    const { code, stdout, stderr } = await run("changes", "--since", "1");
    const docs = await readFile(resolve(import.meta.dirname, "../../docs/changes.md"), "utf8");
    const [, example] = /```ndjson\n(.*?)```/s.exec(docs) ?? [];
    expect([code, stdout]).toEqual([0, example]);
    expect(stderr).toBe(
      "generation 1 → 2: 1 story new or changed, 1 moved, 1 deleted, 1 affected, 1 other part changed\n",
    );
    const { stdout: document } = await run("changes", "--since", "1", "--json");
    const [header, ...changes] = (example ?? "")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(JSON.parse(document)).toEqual({ schema: 1, ...header, changes, problems: [] });
  });

  test("without a flag compares with the generation before the current one", async () => {
    const { run } = await bookshop();
    const [bare, since] = [await run("changes"), await run("changes", "--since", "1")];
    expect(bare).toEqual(since);
    expect(bare).toMatchObject({ code: 0, stderr: expect.stringContaining("generation 1 → 2") });
  });

  test("keeps the cursor until the consumer acknowledges a generation", async () => {
    const { run } = await bookshop();
    const counts = async (...args: string[]) => {
      const { code, stdout } = await run("changes", "--for", "search", "--json", ...args);
      const { from, to, full, counts } = JSON.parse(stdout);
      return { code, from, to, full, upserts: counts.upserts };
    };
    const everything = { code: 0, from: null, to: 2, full: "first", upserts: 3 };
    expect([await counts(), await counts("--exit-code")]).toEqual([everything, everything]);
    expect(await run("changes", "--for", "search", "--commit", "1")).toMatchObject({ code: 0 });
    expect(await counts("--exit-code")).toEqual({ code: 0, from: 1, to: 2, full: null, upserts: 1 });
    expect(await run("changes", "--for", "search", "--commit")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("search is up to date with generation 2"),
    });
    expect(await counts()).toEqual({ code: 0, from: 2, to: 2, full: null, upserts: 0 });
    const nothing = await run("changes", "--for", "search", "--exit-code");
    expect([nothing.code, nothing.stdout.split("\n").length]).toEqual([9, 2]);
    expect(JSON.parse(nothing.stdout)).toMatchObject({ from: 2, to: 2, tags: [] });
    expect(nothing.stderr).toMatch(/^search: generation 2: nothing\n/);
    expect((await run("status", "--offline")).stdout).toMatch(/^consumer {5}search: current, since .* ago$/m);
  });

  test("reports what it cannot do, with a hint", async () => {
    const { run } = await bookshop();
    const wrong: [string[], RegExp][] = [
      [["--since", "7"], /Generation 7 is not kept.*\n.*1, 2/],
      [["--since", "1", "--for", "search"], /Pass either --since or --for/],
      [["--since", "1", "--commit"], /--commit needs --for/],
      [["--for", "../search"], /cannot be the name of a consumer/],
      [["--for", "search", "--commit", "7"], /Generation 7 is not kept/],
      [["--since", "x"], /number of a generation/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await run("changes", ...args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});

describe("offprint sync", () => {
  test("runs hooks after a commit, retries if nothing changed, and exits with 3 if a command fails", async () => {
    const space = await startTinySpace();
    const cwd = await temporaryFolder();
    const configure = (run: string) =>
      writeFile(
        join(cwd, "sync.config.yaml"),
        `source: { url: "${space.url}", token: token-of-test }\nqueue: { retries: 0 }\nonCommit: { site: { run: ${JSON.stringify(run)} } }\n`,
      );
    const run = (...args: string[]) => runCommand(args, { cwd, env: { STORYBLOK_TOKEN: "token-of-test" } });
    await configure("echo from $OFFPRINT_FROM token=$STORYBLOK_TOKEN; echo token-of-test; exit 4");
    expect(await run("sync", "--dry-run")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("site |") });
    const failed = await run("sync");
    expect(failed).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^site \| from token=\nsite \| \[redacted\]$/m),
    });
    expect(failed.stderr).toMatch(
      /✖ Exit code 3: The command of the consumer "site" ended with exit code 4\. \[HOOK_FAILED\]/,
    );
    const document = JSON.parse((await run("sync", "--json")).stdout);
    expect(document).toMatchObject({
      outcome: "unchanged",
      problems: expect.arrayContaining([expect.objectContaining({ code: "HOOK_FAILED", isNew: true })]),
      consumers: [{ consumer: "site", from: null, to: 1, result: "failed", exitCode: 4 }],
    });
    await configure("exit 0");
    // The outcome is about the space; running the hooks does not change it.
    expect(await run("sync", "--exit-code")).toMatchObject({
      code: 9,
      stderr: expect.stringContaining("site has generation 1: 3 stories new or changed."),
    });
    space.stories[1]!.headline = "Edited";
    space.cv += 10;
    expect(await run("sync", "--exit-code")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("site has generation 2: 1 story new or changed"),
    });
  });

  test("exits with 9 if the space did not change, even if new settings render the content again", async () => {
    const space = await startTinySpace();
    const cwd = await temporaryFolder();
    const configure = (more: string) =>
      writeFile(join(cwd, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n${more}`);
    await configure("content: { dir: site }");
    expect(await runCommand(["sync", "--exit-code"], { cwd })).toMatchObject({ code: 0 });
    await configure("content: { dir: elsewhere }");
    const { code, stderr } = await runCommand(["sync", "--exit-code"], { cwd });
    expect([code, stderr]).toEqual([9, expect.stringMatching(/= Unchanged: .* Content: \d+ files written/)]);
  });

  test("runs no hook if it exits with a code other than 0 or 9, like `offprint sync && command`", async () => {
    const space = await startTinySpace();
    const cwd = await temporaryFolder();
    const configure = (onFailure: string) =>
      writeFile(
        join(cwd, "sync.config.yaml"),
        `source: { url: "${space.url}", token: token-of-test }\nqueue: { retries: 0 }\nassets: { download: true, maxBytes: 8, onFailure: ${onFailure} }\nonCommit: { site: { run: "echo runs" } }\n`,
      );
    await configure("fail");
    expect(await runCommand(["sync"], { cwd })).toMatchObject({
      code: 3,
      stderr: expect.not.stringContaining("site |"),
    });
    await configure("keep");
    expect(await runCommand(["sync"], { cwd })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("site | runs"),
    });
  });

  test("passes its outcome to later steps of GitHub Actions", async () => {
    const space = await startTinySpace();
    const cwd = await temporaryFolder();
    const file = join(cwd, "outputs");
    await writeFile(join(cwd, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
    await writeFile(file, "before=1\n");
    for (const changed of ["true", "false"]) {
      await runCommand(["sync"], { cwd, env: { GITHUB_OUTPUT: file } });
      expect(outputsIn(await readFile(file, "utf8"))).toEqual({ changed, generation: "1", cv: "1700000000" });
    }
    await mkdir(join(cwd, "folder"));
    const unwritable = await runCommand(["sync"], { cwd, env: { GITHUB_OUTPUT: join(cwd, "folder") } });
    expect(unwritable).toMatchObject({ code: 2, stderr: expect.stringContaining("[FOLDER_UNUSABLE]") });
    const hostile = "a\nchanged=true\nchanged<<EOF\n";
    expect(outputsIn(githubOutputText({ slug: hostile, more: "" }))).toEqual({ slug: hostile, more: "" });
  });
});

describe("offprint status --since", () => {
  test("exits with 9 if the deployed site matches the snapshot, and with 0 if a deploy is due", async () => {
    const { cwd, run } = await bookshop();
    const index = join(cwd, "output/content/index.json");
    const current = await readFile(index, "utf8");
    let served: { status: number; body: string } = { status: 200, body: current };
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url);
      response.writeHead(served.status, { location: "/elsewhere" }).end(served.body);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.json`;
    const status = async (place: string) => {
      const { code, stdout } = await run("status", "--offline", "--since", place, "--exit-code");
      return [code, /^deployed +(.*)$/m.exec(stdout)?.[1]];
    };
    for (const place of [url, index, "output/content/index.json", "2"]) {
      expect(await status(place)).toEqual([9, "what the snapshot holds"]);
    }
    expect(await status("1")).toEqual([0, "generation 1: other content"]);
    expect(await status("77")).toEqual([0, "77 is a generation that is not kept"]);
    expect(await status("no/such/index.json")).toEqual([0, "no/such/index.json is not there"]);
    for (const [next, text] of [
      [{ status: 404, body: "" }, "answers 404"],
      [{ status: 301, body: "" }, "answers 301"],
      [{ status: 200, body: "<!doctype html>" }, "is no index.json of a content tree"],
      [{ status: 200, body: current.replace("offprint", "other") }, "is no index.json of a content tree"],
    ] as const) {
      served = next;
      expect(await status(url)).toEqual([0, `${url} ${text}`]);
    }
    served = { status: 200, body: current.replace(/"settings": "\w+"/, '"settings": "other"') };
    expect(await status(url)).toEqual([0, "the same content, in other settings"]);
    // A different snapshot can have the same number.
    served = { status: 200, body: current.replace(/"snapshot": "\w+"/, '"snapshot": "other"') };
    expect(await status(url)).toEqual([0, "generation 2: other content"]);
    expect(new Set(seen)).toEqual(new Set(["/index.json"]));
  });

  test("asks only https addresses and this machine, and reports what is wrong", async () => {
    const { run } = await bookshop();
    const wrong: [string[], number, RegExp][] = [
      [["--since", "http://example.com/index.json"], 2, /is not a supported address\. \[USAGE\]\n {2}→ Use https:\/\//],
      [["--since", "ftp://example.com/index.json"], 2, /is not a supported address\. \[USAGE\]\n {2}→ Use https:\/\//],
      [["--since", "http://127.0.0.1:1/index.json"], 5, /127\.0\.0\.1:1/],
      [["--since", "output"], 2, /cannot be read: EISDIR/],
      [["--exit-code"], 2, /--exit-code needs --since/],
    ];
    for (const [args, exit, message] of wrong) {
      const { code, stderr } = await run("status", "--offline", ...args);
      expect([code, stderr]).toEqual([exit, expect.stringMatching(message)]);
    }
  });
});

/** Parses the file like the runner does: the last value of a name wins. */
function outputsIn(text: string): Record<string, string> {
  const found = [...text.matchAll(/^(\w+)<<(.+)\n([\s\S]*?)\n\2$/gm)];
  return Object.fromEntries(found.map(([, name = "", , value = ""]) => [name, value]));
}

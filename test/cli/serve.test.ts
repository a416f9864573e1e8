import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { assetFile, parts } from "../../src/snapshot/layout.js";
import type { PartEntry } from "../../src/snapshot/manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { commit } from "../../src/snapshot/write/commit.js";
import { replacePart } from "../../src/snapshot/write/update-part.js";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { sampleDraft } from "../support/sample-draft.js";
import { story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const yaml = `source: { url: "https://api.example.com", token: "\${SERVE_TEST_TOKEN}" }\n`;

/** A folder with a configuration and a snapshot of one story. */
async function projectWith(name: string, config = yaml): Promise<string> {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), config);
  await commitStory(dir, name, 10);
  return dir;
}

async function commitStory(dir: string, name: string, cv: number, more: { committedAt?: string } = {}): Promise<void> {
  await commitRecords(dir, cv, { [parts.stories("published/default")]: [story(1, { name })] }, more);
}

async function commitRecords(
  dir: string,
  cv: number,
  records: Record<string, object[]>,
  more: { committedAt?: string } = {},
): Promise<void> {
  const { store } = openOutput({ dir: join(dir, "output") });
  const entries: Record<string, PartEntry> = {};
  for (const [part, each] of Object.entries(records)) {
    const lines = each.map((record) => JSON.stringify(record));
    entries[part] = await replacePart(store, part, lines, 4096);
  }
  await commit(store, sampleDraft({ cv, parts: entries, ...more }));
}

interface Serving {
  url: string;
  /** The output so far. */
  said(): string;
  /** Waits until it prints this. */
  heard(text: string): Promise<void>;
  /** Sends SIGINT, like Ctrl-C. */
  interrupt(): void;
  /** Stops it with SIGINT and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Runs `offprint serve` until it prints its address. */
async function serve(dir: string, args: string[] = [], env: Record<string, string> = {}): Promise<Serving> {
  let child: ChildProcess | undefined;
  let said = "";
  const listeners = new Set<() => void>();
  const run = runCli(["serve", "--port", "0", ...args], {
    cwd: dir,
    env,
    onStart(started) {
      child = started;
      started.stderr?.on("data", (text) => {
        said += text;
        for (const listener of listeners) listener();
      });
    },
  });
  const heard = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (said.includes(text)) resolve();
      };
      listeners.add(look);
      look();
      void run.then(({ stderr }) => reject(new Error(`ended before it said "${text}": ${stderr}`)));
    });
  onTestFinished(() => void child?.kill("SIGKILL"));
  await heard("Stop it with Ctrl-C");
  return {
    url: /at (http:\S+)\./.exec(said)?.[1] ?? "",
    said: () => said,
    heard,
    interrupt: () => void child?.kill("SIGINT"),
    async stop() {
      child?.kill("SIGINT");
      return (await run).code;
    },
  };
}

const nameAt = async (url: string, token: string) => {
  const response = await fetch(`${url}/v2/cdn/stories/story-1?token=${token}`);
  return response.ok ? ((await response.json()) as { story: { name: string } }).story.name : response.status;
};

test("serves the snapshot to the source's token, and picks up what a sync commits", async () => {
  const dir = await projectWith("before");
  const serving = await serve(dir, [], { SERVE_TEST_TOKEN: "the-own-token" });
  expect(await nameAt(serving.url, "the-own-token")).toBe("before");
  expect(await nameAt(serving.url, "another")).toBe(401);
  await commitStory(dir, "after", 20);
  await serving.heard("Serving generation 2 now (cv 20)");
  expect(await nameAt(serving.url, "the-own-token")).toBe("after");
  expect(await serving.stop()).toBe(0);
  expect(serving.said()).not.toContain("the-own-token");
});

test("--explorer says which token its pages ask for, and names the command that needs none", async () => {
  const dir = await projectWith("explored");
  const asked = "It asks for a token that may read drafts; `offprint open` needs none.";
  const closed = await serve(dir, ["--explorer"], { SERVE_TEST_TOKEN: "the-own-token" });
  const [, address = ""] = /Look at it: (\S+)/.exec(closed.said()) ?? [];
  expect((await fetch(address)).status).toBe(401);
  expect(closed.said()).toContain(asked);
  expect(closed.said()).not.toContain("the-own-token");
  const open = await serve(dir, ["--explorer"]);
  expect((await fetch(/Look at it: (\S+)/.exec(open.said())?.[1] ?? "")).status).toBe(200);
  expect(open.said()).not.toContain(asked);
});

test("serves the generation that was current at a time, and stays with it", async () => {
  const dir = await projectWith("then");
  await commitStory(dir, "now", 20, { committedAt: new Date().toISOString() });
  const serving = await serve(dir, ["--at", "2 hours ago"]);
  expect(serving.said()).toMatch(/generation 1 was current.*\nServing generation 1 \(cv 10\)/);
  await commitStory(dir, "later", 30, { committedAt: new Date().toISOString() });
  expect(await nameAt(serving.url, "any")).toBe("then");
  expect(await serving.stop()).toBe(0);
  expect(serving.said()).not.toContain("Serving generation 3");
});

test("finishes open requests at the first signal; exits at once with 130 at the second", async () => {
  const dir = await projectWith("slow");
  const serving = await serve(dir, ["--latency", "60s"]);
  const request = get(`${serving.url}/v2/cdn/links?token=x`, { headers: { expect: "100-continue" } });
  request.on("error", () => {});
  // The server prints this when the request arrives, long before it answers.
  await once(request, "continue");
  serving.interrupt();
  await serving.heard("Finishing current work. Press Ctrl-C again to abort.");
  expect(await serving.stop()).toBe(130);
  expect(serving.said()).toMatch(/\n✖ Aborted \[INTERRUPTED\] → Nothing that was committed is lost\.\n$/);
});

test("accepts any token on this machine if none is set, and warns; refuses to listen elsewhere", async () => {
  const dir = await projectWith("anyone");
  const serving = await serve(dir);
  expect(serving.said()).toContain("Any token is accepted");
  expect(await nameAt(serving.url, "whatever")).toBe("anyone");
  expect(await serving.stop()).toBe(0);
  const open = await runCommand(["serve", "--port", "0", "--host", "0.0.0.0"], { cwd: dir });
  expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("serve.tokens")]);
});

test("logs a substitute edition once; --strict answers 404", async () => {
  const dir = await projectWith("published");
  const serving = await serve(dir);
  const drafts = () => fetch(`${serving.url}/v2/cdn/stories?version=draft&token=x`);
  expect([(await drafts()).status, (await drafts()).status]).toEqual([200, 200]);
  await serving.heard("The snapshot has no draft/default: answered from published/default.");
  expect(serving.said().split("has no draft/default")).toHaveLength(2);
  await serving.stop();
  const strict = await serve(dir, ["--strict", "--no-redirect", "--fault", "503=1/2", "--latency", "1ms"]);
  const status = async () => (await fetch(`${strict.url}/v2/cdn/stories?version=draft&token=x`)).status;
  expect([await status(), await status(), await status()]).toEqual([404, 503, 404]);
  await strict.stop();
});

test("--also serves a second snapshot under its own tokens, and refuses a shared token", async () => {
  const [one, two] = [
    await projectWith("one"),
    await projectWith("two", yaml.replace("SERVE_TEST_TOKEN", "OTHER_TOKEN")),
  ];
  const other = join(two, "sync.config.yaml");
  const serving = await serve(one, ["--also", other], {
    SERVE_TEST_TOKEN: "token-of-one",
    OTHER_TOKEN: "token-of-two",
  });
  expect([await nameAt(serving.url, "token-of-one"), await nameAt(serving.url, "token-of-two")]).toEqual([
    "one",
    "two",
  ]);
  await serving.stop();
  for (const env of [
    { SERVE_TEST_TOKEN: "same-token", OTHER_TOKEN: "same-token" },
    { SERVE_TEST_TOKEN: "token-of-one" },
  ]) {
    const refused = await runCommand(["serve", "--port", "0", "--also", other], { cwd: one, env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("token")]);
  }
});

test("--openapi prints the document without a snapshot", async () => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), yaml);
  for (const args of [[], ["--json"]]) {
    const { code, stdout, stderr } = await runCommand(["serve", "--openapi", ...args], { cwd: dir });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ openapi: "3.1.0", servers: [{ url: "http://127.0.0.1:4400" }] });
  }
});

test.each([
  ["--fault", "teapot=10%"],
  ["--latency", "soon"],
  ["--assets", "remote"],
])("refuses %s %s with a hint", async (flag, value) => {
  const dir = await projectWith("any");
  const { code, stderr } = await runCommand(["serve", "--port", "0", flag, value], { cwd: dir });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/Write /)]);
});

test("--assets local rewrites asset URLs to the replica, which serves them", async () => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), yaml);
  const original = "https://a.example/f/7/photo.png";
  const record = {
    key: "07",
    url: original,
    hash: "ab".repeat(32),
    name: "photo.png",
    type: "image/png",
    bytes: 3,
    uses: 1,
  };
  const content = { _uid: "u", component: "page", image: { fieldtype: "asset", id: 7, filename: original } };
  await openOutput({ dir: join(dir, "output") }).store.put(assetFile(record.hash, record.name), Buffer.from("png"));
  await commitRecords(dir, 10, {
    [parts.stories("published/default")]: [story(1, { content })],
    [parts.assets]: [record],
  });
  const filenameAt = async (url: string) => {
    const response = await fetch(`${url}/v2/cdn/stories/story-1?token=x`);
    return ((await response.json()) as { story: { content: typeof content } }).story.content.image.filename;
  };
  const plain = await serve(dir);
  expect(await filenameAt(plain.url)).toBe(original);
  await plain.stop();
  const local = await serve(dir, ["--assets", "local"]);
  expect(await filenameAt(local.url)).toBe(`${local.url}/f/7/photo.png`);
  for (const variant of ["", "/m/200x0/filters:quality(80)"]) {
    const response = await fetch(`${local.url}/f/7/photo.png${variant}`);
    expect([response.headers.get("content-type"), await response.text()]).toEqual(["image/png", "png"]);
  }
  expect(await local.stop()).toBe(0);
});

test("names the damaged snapshot file if a request fails on an invalid record", async () => {
  const dir = await projectWith("before");
  const commits: Record<string, (object | null)[]> = {
    [parts.stories("published/default")]: [story(1)],
    [parts.datasources]: [null],
  };
  await commitRecords(dir, 20, commits as Record<string, object[]>);
  const serving = await serve(dir, [], { SERVE_TEST_TOKEN: "the-own-token" });
  const response = await fetch(`${serving.url}/v2/cdn/datasources?token=the-own-token`);
  expect(response.status).toBe(500);
  await serving.heard("A request failed: snapshot/datasources.");
  await serving.heard("has a record in line 2 that should be an object");
  expect(await serving.stop()).toBe(0);
});

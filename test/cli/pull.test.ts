// @module-tag long
import { fork } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { shardFile } from "../../src/snapshot/layout.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { collectOutput, runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story } from "../support/sample-snapshot.js";
import { storedSnapshot } from "../support/stored-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const content = (name: string) => ({
  editions: { "published/default": [story(1, { name, slug: "home" }), story(2, { name: "Two" })] },
  shardBytes: 512,
});

/** A machine without a token, whose CMS does not answer. */
async function buildMachine(output = "") {
  const dir = await temporaryFolder();
  const yaml = `source: { url: "https://cms.invalid", token: "\${NO_SUCH_TOKEN}" }\ncontent: { formats: [markdown] }\noutput: { dir: output ${output} }\n`;
  await writeFile(join(dir, "sync.config.yaml"), yaml);
  return { dir, files: openFileStore(dir) };
}

async function stored() {
  const snapshot = await storedSnapshot();
  onTestFinished(() => snapshot.server.close());
  return snapshot;
}

test("pulls a store's snapshot without a token, renders it, and then requests only the pointer", async () => {
  const { address, env, commit, requests } = await stored();
  const manifest = await commit(content("One"));
  const { dir, files } = await buildMachine(`, store: "${address}"`);
  const first = await runCli(["pull", "--json"], { cwd: dir, env });
  expect(first.code, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ schema: 1, outcome: "pulled", from: address, generation: 1 });
  const shards = Object.values(manifest.parts).flatMap((part) => part.shards).length;
  const asked = requests();
  expect(asked.filter((one) => one === "GET shard 200")).toHaveLength(shards);
  expect(asked.filter((one) => one !== "GET shard 200")).toEqual(["GET manifest.json 200"]);
  const pages = (await files.names("output/content")).filter((name) => name.endsWith(".md"));
  expect(pages).toHaveLength(2);
  const again = await runCli(["pull", "--exit-code"], { cwd: dir, env });
  expect(again.code, again.stderr).toBe(9);
  expect(requests()).toEqual(["GET manifest.json 304"]);
});

test("a pull exits with 5 while the store is down; export and a site build use the last pull", async () => {
  const { address, env, commit, server } = await stored();
  await commit(content("One"));
  const { dir, files } = await buildMachine(`, store: "${address}"`);
  expect((await runCli(["pull"], { cwd: dir, env })).code).toBe(0);
  await server.refuseConnections();
  const impatient = { ...env, AWS_MAX_ATTEMPTS: "2" };
  await files.remove("output/content/index.json");
  const worker = fork(resolve(import.meta.dirname, "..", "support", "build-worker.mjs"), [], {
    cwd: dir,
    env: { ...process.env, ...impatient, OFFPRINT_PINNED: "" },
    silent: true,
  });
  const pages: unknown[] = [];
  worker.on("message", (page) => pages.push(page));
  const [pulled, exported, built] = await Promise.all([
    runCli(["pull"], { cwd: dir, env: impatient }),
    runCli(["export"], { cwd: dir, env: impatient }),
    collectOutput(worker),
  ]);
  expect(pulled.code).toBe(5);
  expect(pulled.stderr).toContain("[STORE_UNREACHABLE]");
  expect(exported.code, exported.stderr).toBe(0);
  expect(exported.stderr).toContain("Using the local generation 1");
  expect(await files.get("output/content/index.json")).toBeDefined();
  expect(pages).toHaveLength(2);
  expect(built.stderr).toContain("Reading generation 1");
}, 30_000);

test("--from copies a store into a folder with at most one request per file, and never writes to it", async () => {
  const { address, env, commit, requests, server } = await stored();
  const manifest = await commit(content("One"));
  server.policy = ({ operation }) => /^(?:Get|Head)Object$/.test(operation);
  const { dir, files } = await buildMachine();
  const run = (...args: string[]) => runCommand(["pull", "--from", address, ...args], { cwd: dir, env });
  const planned = await run("--dry-run", "--json");
  expect(JSON.parse(planned.stdout)).toMatchObject({ outcome: "planned", plan: { generation: 1, replaces: null } });
  expect(await files.get("output/manifest.json")).toBeUndefined();
  expect(requests()).toEqual(["GET manifest.json 200"]);
  expect((await run()).code).toBe(0);
  const shards = Object.values(manifest.parts).flatMap((part) => part.shards).length;
  expect(requests()).toHaveLength(shards + 2);
  expect((await run("--exit-code")).code).toBe(9);
  expect(requests()).toEqual(["GET manifest.json 304"]);
  expect((await runCommand(["verify"], { cwd: dir })).code).toBe(0);
});

test("copies another folder, and names any obstacle", async () => {
  const from = await temporaryFolder();
  const source = openFileStore(from);
  const { manifest } = await commitSample(content("One"), source);
  const { dir, files } = await buildMachine();
  const run = (...args: string[]) => runCommand(["pull", "--from", from, ...args], { cwd: dir });
  expect(await run()).toMatchObject({ code: 0, stderr: expect.stringMatching(/✔ Generation 1 .*files fetched/) });
  for (const [part, { shards }] of Object.entries(manifest.parts)) {
    for (const shard of shards) {
      const name = shardFile(part, shard);
      expect(await files.get(`output/${name}`)).toEqual(await source.get(name));
    }
  }
  const local = openFileStore(join(dir, "output"));
  await commitSample(content("Here"), local);
  expect(await run()).toMatchObject({ code: 6, stderr: expect.stringContaining("[SNAPSHOT_AHEAD]") });
  expect(await run("--replace")).toMatchObject({ code: 0 });
  expect(await runCommand(["pull"], { cwd: dir })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--from"),
  });
  expect(await runCommand(["pull", "--from", "output"], { cwd: dir })).toMatchObject({ code: 2 });
  const nothing = await runCommand(["pull", "--from", "nowhere"], { cwd: dir });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no snapshot in") });
  const wrong = await runCommand(["pull", "--from", "s3://B/x?y"], { cwd: dir });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("[USAGE]") });
});

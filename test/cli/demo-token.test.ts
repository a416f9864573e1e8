import { appendFile, cp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const defaultConfig = resolve(import.meta.dirname, "..", "..", "sync.config.yaml");

async function projectOfRepository() {
  const cwd = await temporaryFolder();
  await cp(defaultConfig, join(cwd, "sync.config.yaml"));
  return cwd;
}

/** A proxy that counts who comes: nothing that the program does may reach another host. */
async function countingProxy() {
  let connections = 0;
  const server = createServer();
  server.on("connection", (socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

test.each([
  ["an address in the environment", "sync", { OFFPRINT_URL: "https://content.example.org" }, undefined],
  ["a region in the file", "sync", {}, "source: { region: eu, token: demo }\n"],
  ["an address in the file", "status", {}, "source: { url: https://content.example.org, token: demo }\n"],
])(
  "without a token of its own, %s is a problem of the configuration, and nothing is asked",
  async (_, command, env, yaml) => {
    const cwd = await projectOfRepository();
    if (yaml !== undefined) await writeFile(join(cwd, "sync.config.yaml"), yaml);
    const proxy = await countingProxy();
    const run = await runCli([command], { cwd, env: { ...env, https_proxy: proxy.url, HTTPS_PROXY: proxy.url } });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/source\.token .* \[CONFIG_INVALID\]\n {2}→ Set OFFPRINT_TOKEN/);
    expect(proxy.connections()).toBe(0);
  },
);

test("the demo space, and a replica on this machine, are read without one", async () => {
  const cwd = await projectOfRepository();
  // A dry run asks the space, and renders nothing.
  expect((await runCli(["sync", "--dry-run"], { cwd })).code).toBe(0);
  await appendFile(join(cwd, "sync.config.yaml"), "queue: { retries: 0, timeout: 5s }\n");
  const unreachable = await runCli(["sync"], { cwd, env: { OFFPRINT_URL: "http://127.0.0.1:9" } });
  expect(unreachable.code).toBe(5);
});

test("init for the demo space asks for no token, and its configuration takes none elsewhere", async () => {
  const cwd = await temporaryFolder();
  const init = await runCli(["init", "--url", "demo:"], { cwd });
  expect(init).toMatchObject({ code: 0, stderr: expect.stringContaining("Next: run `offprint sync`.") });
  expect(init.stderr).not.toMatch(/token/i);
  // A dry run asks the space, and renders nothing.
  expect((await runCli(["sync", "--dry-run"], { cwd })).code).toBe(0);
  const file = join(cwd, "sync.config.yaml");
  await writeFile(file, (await readFile(file, "utf8")).replace('"demo:"', "https://content.example.org"));
  const elsewhere = await runCli(["sync"], { cwd });
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining("Set OFFPRINT_TOKEN") });
});

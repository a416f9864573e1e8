// @module-tag long
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax of the configuration.
import { appendFile, cp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const defaultConfig = resolve(import.meta.dirname, "..", "..", "sync.config.yaml");

async function projectOfRepository() {
  const cwd = await temporaryFolder();
  await cp(defaultConfig, join(cwd, "sync.config.yaml"));
  return cwd;
}

/** A proxy that counts connections, because the program must not reach another host. */
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
  "without its own token, %s is a configuration problem, and the program sends no request",
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

test("reads the demo space and a replica on this machine without a token", async () => {
  const cwd = await projectOfRepository();
  // A dry run asks the space, and renders nothing.
  expect((await runCli(["sync", "--dry-run"], { cwd })).code).toBe(0);
  await appendFile(join(cwd, "sync.config.yaml"), "queue: { retries: 0, timeout: 5s }\n");
  const unreachable = await runCli(["sync"], { cwd, env: { OFFPRINT_URL: "http://127.0.0.1:9" } });
  expect(unreachable.code).toBe(5);
});

test("init for the demo space asks for no token, and its configuration sends none elsewhere", async () => {
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

test.each([
  ["what init writes", undefined, "change source.url in sync.config.yaml, and set OFFPRINT_TOKEN for source.token"],
  ["variables", "{ url: '${SPACE:-demo:}', token: '${SECRET:-demo}' }", "Set SPACE and SECRET to read your own"],
  ["values", "{ url: 'demo:', token: demo }", "change source.url and source.token in sync.config.yaml"],
  ["a variable and a value", "{ url: '${SPACE:-demo:}', token: demo }", "set SPACE, and change source.token in"],
])(
  "with %s in the file, a sync of the demo space says what to change to read another space",
  async (_, source, advice) => {
    const cwd = await temporaryFolder();
    if (source === undefined) await runCommand(["init", "--url", "demo:"], { cwd });
    else await writeFile(join(cwd, "sync.config.yaml"), `source: ${source}\n`);
    const { code, stderr } = await runCommand(["sync", "--dry-run"], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining(advice)]);
    expect(stderr.includes("OFFPRINT_URL")).toBe(false);
  },
);

test.each(["sync", "status"])(
  "%s refuses another space's token for the demo space by name, and sends no request",
  async (command) => {
    const cwd = await temporaryFolder();
    await runCommand(["init", "--url", "demo:"], { cwd });
    await writeFile(
      join(cwd, "sync.config.yaml"),
      "source: { url: 'demo:', token: '${OFFPRINT_TOKEN:-demo}' }\ncontent: { formats: [] }\n",
    );
    if (command === "status") expect((await runCommand(["sync"], { cwd })).code).toBe(0);
    const { code, stderr } = await runCommand([command], { cwd, env: { OFFPRINT_TOKEN: "abcd-1234-of-mine" } });
    expect(code).toBe(2);
    expect(stderr).toContain("source.token is not its token, which is demo");
    expect(stderr).toContain("Set OFFPRINT_TOKEN to demo to read the demo space. To read your own, change source.url");
    expect(stderr).not.toMatch(/127\.0\.0\.1|401|abcd-1234/);
  },
);

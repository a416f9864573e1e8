// @module-tag long
import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { demoSecrets } from "../../demo/management.js";
import { space } from "../../demo/space.js";
import { startDemo } from "../../demo/start-demo.js";
import { type CliRun, runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const canary = () => `canary-${randomBytes(12).toString("hex")}`;

test("a canary in every secret field and token reaches no file, no stdout and no stderr", async () => {
  const secrets = Object.fromEntries(Object.keys(demoSecrets).map((name) => [name, canary()]));
  const tokens = { preview: canary(), public: canary(), personal: canary(), oauth: canary() };
  const demo = await startDemo({ secrets, tokens });
  onTestFinished(() => demo.close());

  // The server really sends every secret, so a secret that is absent below was dropped.
  const read = async (path: string, authorization: string) =>
    (await fetch(`${demo.url}${path}`, { headers: { authorization } })).text();
  const { id: spaceId, webhookEndpoint: webhookId } = space;
  const dir = await temporaryFolder();
  const sent = [
    await read("/v1/space_info", tokens.personal),
    await read("/oauth/space_info", `Bearer ${tokens.oauth}`),
    await read(`/v1/spaces/${spaceId}/webhook_endpoints/${webhookId}`, tokens.personal),
    await read(`/v2/cdn/spaces/me?token=${tokens.preview}`, ""),
  ].join("\n");
  for (const [name, secret] of Object.entries(secrets)) expect(sent, name).toContain(secret);

  await writeFile(
    join(dir, ".env"),
    Object.entries(tokens)
      .map(([name, token]) => `TOKEN_${name.toUpperCase()}=${token}\n`)
      .join(""),
  );
  const configure = (url: string) =>
    writeFile(
      join(dir, "sync.config.yaml"),
      `source:
  url: ${url}
  token: \${TOKEN_PREVIEW}
  versions: [published, draft]
  languages: [default, de]
  management:
    url: ${url}
    token: \${TOKEN_PERSONAL}
    oauthUrl: ${url}
    oauthToken: \${TOKEN_OAUTH}
    spaceId: ${spaceId}
    webhookEndpoints: [${webhookId}]
assets: { download: false }
queue: { retries: 1 }
`,
    );
  await configure(demo.url);
  const outputs: string[] = [];
  const noted = ({ code, stdout, stderr }: CliRun) => {
    outputs.push(stdout, stderr);
    return code;
  };
  const run = async (...args: string[]) => noted(await runCommand(args, { cwd: dir }));
  // A separate process, so the test sees everything that it prints.
  expect(noted(await runCli(["sync", "--verbose"], { cwd: dir }))).toBe(0);
  expect(await run("status", "--json")).toBe(0);
  expect(await run("verify", "--json")).toBe(0);
  expect(await run("sync", "--full", "--json", "--verbose")).toBe(0);
  // Failures report what they tried: a port where nobody listens, a refused token.
  await configure("http://127.0.0.1:9");
  expect(await run("sync", "--verbose", "--config", "sync.config.yaml")).toBe(5);
  await configure(demo.url);
  await writeFile(
    join(dir, ".env"),
    `TOKEN_PREVIEW=${tokens.preview}x\nTOKEN_PERSONAL=${tokens.personal}\nTOKEN_OAUTH=${tokens.oauth}\n`,
  );
  expect(noted(await runCli(["sync", "--verbose"], { cwd: dir }))).toBe(4);

  const written = await allText(join(dir, "output"));
  expect(written).toContain("plan_level");
  for (const secret of [...Object.values(secrets), ...Object.values(tokens)]) {
    expect(written.includes(secret), secret).toBe(false);
    expect(outputs.join("\n").includes(secret), secret).toBe(false);
  }
}, 120_000);

async function allText(folder: string): Promise<string> {
  const texts: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), "latin1"));
  }
  return texts.join("\n");
}

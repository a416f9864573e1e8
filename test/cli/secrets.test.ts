// @module-tag long
import type { ChildProcess } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { demoSecrets } from "../../demo/management.js";
import { space } from "../../demo/space.js";
import { startDemo } from "../../demo/start-demo.js";
import { startEditableSpace } from "../support/editable-space.js";
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

/** Commands that read, compare and watch, with the least that each prints. */
const commands: [args: string[], says: RegExp][] = [
  [["sync", "--full", "--verbose"], /Unchanged/],
  [["sync", "--dry-run"], /request/],
  [["status"], /generation +2/],
  [["status", "--json", "--history"], /"generation": ?2/],
  [["doctor"], /TOKEN_READS_DRAFTS/],
  [["doctor", "--json"], /WEBHOOKS_OK/],
  [["report"], /generation/i],
  [["report", "--since", "1", "--json"], /"schema"/],
  [["why", "home"], /home/],
  [["check", "--all"], /finding|error|warning/],
  [["check", "--built", "site", "--all"], /page/],
  [["diff"], /Generation 1/],
  [["diff", "--story", "home", "1", "2"], /Welcome/],
  [["changes", "--since", "1"], /home/],
  [["generations"], /^2 /m],
  [["show", "home"], /Welcome/],
  [["usage"], /Generation 2/],
  [["verify"], /match the manifest/],
  [["export"], /Generation 2/],
  [["types"], /./],
];

test("no command and no daemon prints or writes a token, webhook secret or editor's address, at any level of detail", {
  tags: "long",
  timeout: 120_000,
}, async () => {
  const [token, secret, key, editor] = [
    canary(),
    canary(),
    randomBytes(18).toString("base64url"),
    `${canary()}@press.example`,
  ];
  const upstream = await startEditableSpace(
    {
      author: editor,
      taxonomies: [{ id: "t", name: "topics", children: [{ id: "u", name: "wood" }] }],
      stories: [{ name: "home", slug: "home", terms: ["u"], headline: "Hello" }],
    },
    [token],
  );
  onTestFinished(() => upstream.close());
  const sent = await (await fetch(`${upstream.url}/v2/cdn/taxonomies/t?token=${token}`)).text();
  expect(sent).toContain(editor);
  const dir = await temporaryFolder();
  await writeFile(join(dir, ".env"), `TOKEN=${token}\nSECRET=${secret}\nKEY=${key}\n`);
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${upstream.url}", token: "\${TOKEN}" }\nwebhooks: { secret: "\${SECRET}", key: "\${KEY}" }\nschedule: { every: 1h }\n`,
  );
  await mkdir(join(dir, "site"));
  await writeFile(join(dir, "site", "index.html"), "<!doctype html><title>home</title><p>Welcome</p>");
  const options = { cwd: dir, env: { OFFPRINT_DEBUG: "crawl,store,http" } };
  const outputs: string[] = [];
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runCli(args, options);
    outputs.push(stdout, stderr);
    return `${stdout}\n${stderr}`;
  };
  expect(await run("sync", "--verbose")).toContain("Generation 1");
  await upstream.publish((content) => {
    Object.assign(content.stories[0]!, { headline: "Welcome", publishedAt: "2024-03-01T00:00:00.000Z" });
  });
  expect(await run("sync", "--json")).toContain("Generation 2");
  for (const [args, says] of commands) expect(await run(...args), args.join(" ")).toMatch(says);
  outputs.push(await watchOnce(options, { secret, key, editor, edit: () => upstream.publish() }));

  const written = await allText(join(dir, "output"));
  expect(written).toContain("wood");
  for (const hidden of [token, secret, key, editor]) {
    expect(written.includes(hidden), hidden).toBe(false);
    expect(outputs.join("\n").includes(hidden), hidden).toBe(false);
  }
});

/** Runs `watch` with every log, and sends it an event that names its editor, with right and wrong proofs. */
async function watchOnce(
  options: { cwd: string; env: Record<string, string> },
  { secret, key, editor, edit }: { secret: string; key: string; editor: string; edit(): Promise<void> },
): Promise<string> {
  let child: ChildProcess | undefined;
  const run = runCli(
    [
      "watch",
      "--json",
      "--verbose",
      "--log-format",
      "json",
      "--log-level",
      "debug",
      "--listen",
      "127.0.0.1:0",
      "--status-file",
      "output/status.json",
      "--metrics-file",
      "output/metrics.prom",
    ],
    {
      ...options,
      onStart: (started) => {
        child = started;
      },
    },
  );
  onTestFinished(() => void child?.kill("SIGKILL"));
  const lines = createInterface({ input: child!.stdout! })[Symbol.asyncIterator]();
  const line = async (kind: string) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`watch ended: ${(await run).stderr}`);
      const found = JSON.parse(value) as Record<string, unknown>;
      if (found.kind === kind) return found;
    }
  };
  const { url, spaces } = (await line("started")) as { url: string; spaces: string[] };
  await edit();
  const body = JSON.stringify({ action: "published", text: editor, user: editor, story_id: 1, space_id: 77 });
  const post = async (address: string, signature: string) =>
    (
      await fetch(`${url}/hooks/${spaces[0]}/${address}`, {
        method: "POST",
        headers: { "webhook-signature": signature },
        body,
      })
    ).status;
  const signature = createHmac("sha1", secret).update(body).digest("hex");
  expect([await post(key, signature), await post(key, secret), await post(`${key}x`, signature)]).toEqual([
    202, 401, 404,
  ]);
  await line("run-ended");
  const metrics = await (await fetch(`${url}/metrics`)).text();
  child?.kill("SIGTERM");
  const { stdout, stderr } = await run;
  return [metrics, stdout, stderr].join("\n");
}

async function allText(folder: string): Promise<string> {
  const texts: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), "latin1"));
  }
  return texts.join("\n");
}

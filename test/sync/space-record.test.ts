import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startReplica } from "../../src/server/replica/http/server.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { forward } from "../support/front-server.js";
import { runCommand } from "../support/run-command.js";
import { type ScriptedAnswer, startScriptedServer } from "../support/scripted-server.js";
import { syncFolder } from "../support/sync-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

const spaceId = 9;
const webhookId = 11;

const config = (url: string, token: string) => `source:
  url: ${url}
  token: ${token}
  management:
    url: ${url}
    token: personal-4711-token
    spaceId: ${spaceId}
    webhookEndpoints: [${webhookId}]
assets: { download: false }
queue: { retries: 0 }
content: { formats: [] }
`;

async function allText(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

test("keeps personal addresses and secrets of the space out of snapshot and replica, and reports them", async () => {
  const space = await startTinySpace();
  const hidden = {
    owner: { email: "canary@example.com", firstname: "canary" },
    settings: [
      { contact: "ask Jo <canary@example.com>" },
      { name: "hook", apiKey: "canary" },
      { echo: "demo-preview-TOKEN" },
    ],
    "canary@example.com": true,
  };
  const front = await startScriptedServer(async ({ target, path, headers }): Promise<ScriptedAnswer> => {
    const { authorization = "" } = headers;
    if (path === "/v2/cdn/spaces/me") {
      const { space: record } = JSON.parse(String((await forward(`${space.url}${target}`)).body));
      return { body: { space: { ...record, name: "Space of canary@example.com", ...hidden, plan: 3 } } };
    }
    if (path === "/v1/space_info") {
      return {
        body: {
          space: {
            id: 7,
            name: "canary@example.com",
            languages: [{ code: "de", name: "https://jo:canary@x.example/" }],
            ...hidden,
          },
        },
      };
    }
    if (path.includes("webhook_endpoints")) {
      return {
        body: {
          webhook_endpoint: {
            id: webhookId,
            name: "To https://x.example/?token=canary",
            actions: ["canary@example.com"],
          },
        },
      };
    }
    expect(authorization).toBe("");
    return forward(`${space.url}${target}`);
  });
  onTestFinished(() => front.close());
  const folder = await syncFolder(config(front.url, "demo-preview-token"));
  const report = await folder.sync();
  expect(report.outcome).toBe("committed");
  const said = report.problems.filter(({ code }) => code === "SPACE_REDACTED");
  expect(said).toHaveLength(1);
  for (const field of [
    "me.name",
    "me.owner",
    "me.settings[0].contact",
    "me.settings[1].apiKey",
    "me.settings[2].echo",
  ]) {
    expect(said[0]?.message).toContain(field);
  }
  expect(said[0]?.message).toContain("me.[redacted], info.name, info.languages[0].name, webhookEndpoints[0].name");

  const { store } = openOutput({ dir: folder.output });
  const reader = await openReader(store, await folder.manifest());
  const replica = await startReplica({ reader: () => reader, store });
  onTestFinished(() => replica.close());
  const paths = ["/v2/cdn/spaces/me?token=t", "/v1/space_info", `/v1/spaces/${spaceId}/webhook_endpoints/${webhookId}`];
  const answers = await Promise.all(
    paths.map(async (path) => (await fetch(`${replica.url}${path}`, { headers: { authorization: "x" } })).text()),
  );
  const everything = [await allText(folder.output), ...answers, JSON.stringify(report)].join("\n");
  expect(everything).toContain('"plan":3');
  expect(everything).not.toMatch(/canary|demo-preview-token/i);
  // The same answers give the same line.
  expect(await folder.sync({ full: true })).toMatchObject({
    outcome: "unchanged",
    problems: said.map((problem) => ({ ...problem, isNew: false })),
  });
});

test("prints, reports and notes a refusal without the token that it echoes in any form", async () => {
  const token = `Key${randomBytes(10).toString("hex")}tt`;
  const forms = [
    token.toLowerCase(),
    token.toUpperCase(),
    Buffer.from(token).toString("base64"),
    Buffer.from(`Bearer ${token}`).toString("base64url"),
    Buffer.from(`${token}:`).toString("base64"),
    Buffer.from(token).toString("hex"),
    token.replaceAll("a", "%61"),
    [...token].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(""),
  ];
  const echo = (status: number): ScriptedAnswer => ({ status, body: { error: `no: ${forms.join(" ")}` } });
  const space = await startTinySpace();
  let answer: ScriptedAnswer | undefined;
  const front = await startScriptedServer(({ target, path }) => {
    if (path.startsWith("/v1/") || path === "/v2/cdn/tags") return echo(403);
    return answer ?? forward(`${space.url}${target}`);
  });
  onTestFinished(() => front.close());
  const folder = await syncFolder(config(front.url, token));
  const outputs: string[] = [];
  const shape = { stories: [{ id: 1, uuid: forms.join(" ") }], cv: 1 };
  const failures: (ScriptedAnswer | undefined)[] = [undefined, echo(401), echo(422), echo(500), { body: shape }];
  for (const failure of failures) {
    answer = failure;
    for (const flags of [
      ["--verbose", "--full"],
      ["--json", "--full"],
    ]) {
      const { stdout, stderr } = await runCommand(["sync", ...flags], { cwd: folder.dir });
      outputs.push(stdout, stderr);
    }
  }
  outputs.push((await runCommand(["status", "--json"], { cwd: folder.dir })).stdout);
  const everything = [...outputs, await allText(folder.output)].join("\n");
  expect(everything).toContain("no: [redacted]");
  for (const form of [token, ...forms])
    expect(everything.toLowerCase(), form).not.toContain(form.toLowerCase().replace(/=+$/, ""));
}, 20_000);

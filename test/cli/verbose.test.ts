// @module-tag long
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forward, startFrontServer } from "../support/front-server.js";
import { runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

const token = `canary-${randomBytes(12).toString("hex")}`;

/** A tiny space behind an edge that answers tags from its cache, and one request with 503. */
async function project() {
  const space = await startTinySpace();
  const origin = space.url;
  let refused = false;
  const front = await startFrontServer(origin, async ({ path, query }) => {
    if (path === "/v2/cdn/links" && !refused) {
      refused = true;
      return { status: 503 };
    }
    if (path !== "/v2/cdn/tags") return undefined;
    const answer = await forward(`${origin}${path}?${query}`);
    return { ...answer, headers: { ...answer.headers, "x-cache": "Hit from cloudfront", age: "12" } };
  });
  onTestFinished(() => front.close());
  // The edge serves the assets too.
  space.url = front.url;
  const dir = await temporaryFolder();
  await writeFile(join(dir, ".env"), `TEST_TOKEN=${token}\n`);
  // Longer than syncing the files takes on a busy machine, so the run reports a wait.
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${front.url}", token: "\${TEST_TOKEN}", settle: 1s }\nassets: { download: true }\nqueue: { rateLimit: 20 }\nserve: { tokens: { preview: [] } }\n`,
  );
  return { dir };
}

test("-v shows requests, waits with reasons, cache answers and slow stages, but no secret", async () => {
  const { dir } = await project();
  const { code, stdout, stderr } = await runCli(["sync", "-v", "--json"], { cwd: dir });
  expect(code, stderr).toBe(0);
  const lines = stderr.split("\n");
  const timed = String.raw`in [\d.]+ m?s, [\d.]+ [KM]?B`;
  const expected = [
    String.raw`^ {2}GET http://\S+/v2/cdn/stories\?per_page=1&version=published 200 ${timed}$`,
    String.raw`^ {2}GET http://\S+/v2/cdn/links\?\S+ 503 UPSTREAM_UNREACHABLE ${timed}$`,
    String.raw`^ {2}GET http://\S+/v2/cdn/links\?\S+ 200 ${timed}, attempt 2$`,
    String.raw`^ {2}GET http://\S+/v2/cdn/tags\?\S+ 200 ${timed} \(Hit from cloudfront, 12 s old\)$`,
    String.raw`^ {2}GET http://\S+/v2/cdn/stories\?\S*by_uuids=[^&]+…&\S*version=published 200 ${timed}$`,
    String.raw`^ {2}GET http://\S+/image\.png 200 ${timed}$`,
    String.raw`^ {2}waiting \d+ ms: .*503`,
    String.raw`^ {2}waiting \d+ ms: the rate limit`,
    String.raw`^ {2}waiting \d+ ms: the space settles`,
    String.raw`^Reading the index took [\d.]+ m?s$`,
  ];
  for (const pattern of expected) expect(lines).toContainEqual(expect.stringMatching(new RegExp(pattern)));
  expect(lines.filter((line) => /^ {2}GET \S+\/v2\//.test(line))).toHaveLength(
    (JSON.parse(stdout) as { requests: { total: number } }).requests.total,
  );
  expect(stdout + stderr).not.toContain(token);
  // Not a terminal, so nothing moves the cursor.
  for (const control of ["\r", "\u001b"]) expect(stdout + stderr).not.toContain(control);
  const plain = await runCli(["sync"], { cwd: dir });
  expect(plain.stderr).not.toContain("GET ");
});

test("serve -v shows each request with status and time, and no token in any spelling", async () => {
  const { dir } = await project();
  expect((await runCli(["sync", "-q"], { cwd: dir })).stderr).toBe("");
  let child: ChildProcess | undefined;
  let said = "";
  const running = runCli(["serve", "--port", "0", "-v"], {
    cwd: dir,
    onStart(started) {
      child = started;
      started.stderr?.on("data", (text) => {
        said += String(text);
      });
    },
  });
  const heard = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(said);
      if (found !== null) return found;
      await once(child!.stderr!, "data");
    }
  };
  onTestFinished(() => void child?.kill("SIGKILL"));
  const url = (await heard(/at (http:\S+)\./))[1];
  const other = `canary-${randomBytes(12).toString("hex")}`;
  await fetch(`${url}/v2/cdn/links?token=${token}&paginated=1`, { redirect: "manual" });
  await fetch(`${url}/v2/cdn/stories?%74oken=${other}&x=%1b%5b2J`);
  await fetch(`${url}/v2/cdn/stories?token=${other}`, { headers: { authorization: other } });
  await heard(/GET \/v2\/cdn\/links\?token=\[redacted\]&paginated=1 301 in [\d.]+ m?s\n/);
  await heard(/GET \/v2\/cdn\/stories\?%74oken=\[redacted\]&x=%1b%5b2J 401 in [\d.]+ m?s\n/);
  await heard(/GET \/v2\/cdn\/stories\?token=\[redacted\] 401 in [\d.]+ m?s\n/);
  child?.kill("SIGINT");
  const { stdout, stderr } = await running;
  for (const secret of [token, other]) expect(stdout + stderr).not.toContain(secret);
});

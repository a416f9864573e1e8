import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Finding } from "../../../src/cli/doctor/diagnosis-finding.js";
import { startEditableSpace } from "../../support/editable-space.js";
import { startFrontServer } from "../../support/front-server.js";
import { runCli } from "../../support/run-cli.js";
import { crawlYaml, sourceYaml, syncFolder } from "../../support/sync-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

async function doctor(yaml: string, args: string[] = [], env: Record<string, string> = {}) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "sync.config.yaml"), yaml);
  const run = await runCli(["doctor", ...args], { cwd, env });
  return { ...run, left: await readdir(cwd) };
}

test("finds no problem in the demo, and leaves no files behind", async () => {
  const { code, stdout, stderr, left } = await doctor(sourceYaml('"demo:"'), ["--json"]);
  const { findings, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ schema: 1, exitCode: 0, errors: 0, warnings: 0 });
  expect(code).toBe(0);
  expect(stderr).toBe("");
  const codes = findings.map((finding: Finding) => finding.code);
  expect(codes.filter((found: string) => !found.startsWith("NODE_"))).toEqual([
    "CONFIG_OK",
    "PROXY_NONE",
    "HOST_OK",
    "TOKEN_OK",
    "CLOCK_OK",
    "DISK_OK",
    "FOLDER_EMPTY",
    "SCHEDULE_OK",
    "WEBHOOKS_OPEN",
  ]);
  expect(left).toEqual(["sync.config.yaml"]);
});

test("reports configuration problems and all independent checks, but no secret", async () => {
  const secret = "s3cret-of-the-space-4711";
  const yaml = `source: { url: "https://api.example.invalid", token: ${secret} }\nqueue: { concurency: 3 }\nwebhooks: { secret: ab }\n`;
  const { code, stdout, stderr } = await doctor(yaml, [], { HTTPS_PROXY: "http://me:pa55word@proxy.corp:3128" });
  expect(code).toBe(2);
  expect(stdout).toMatch(/✖ sync\.config\.yaml:2:10: queue\.concurency .*\[CONFIG_PROBLEM\]/);
  for (const found of ["NODE_OK", "DISK_OK", "PROXY_"]) expect(stdout).toContain(found);
  expect(stdout).not.toContain("HOST_");
  expect(stdout + stderr).not.toMatch(/s3cret|pa55word/);
});

test("checks everything else if the token variable is unset; --quiet omits passed checks", async () => {
  const yaml = sourceYaml("https://api.example.invalid").replace("test-token", "$" + "{OFFPRINT_TOKEN}");
  const { code, stdout } = await doctor(`${yaml}onCommit: { site: { run: [no-such-program-here] } }\n`, ["--quiet"]);
  expect(code).toBe(2);
  const codes = [...stdout.matchAll(/\[([A-Z_]+)\]/g)].map(([, found]) => found);
  expect(codes).toEqual(["CONFIG_PROBLEM", "HOOK_NOT_FOUND"]);
});

test("--contract names each key that the API does not describe, with an example; without it, it repeats what syncs met, or a check noted", async () => {
  const space = await startEditableSpace({ stories: [{ name: "one", slug: "one" }] });
  const front = await startFrontServer(space.url, ({ path }) =>
    path === "/v2/cdn/tags"
      ? { status: 200, body: { tags: ["a", "b"].map((name) => ({ name, taggings_count: 1, colour: "red" })) } }
      : undefined,
  );
  onTestFinished(async () => {
    await front.close();
    await space.close();
  });
  const folder = await syncFolder(crawlYaml(front.url));
  await folder.sync();
  const contract = async (...args: string[]) => {
    const { stdout } = await runCli(["doctor", "--json", ...args], { cwd: folder.dir });
    const { findings } = JSON.parse(stdout);
    return findings.filter(({ code }: Finding) => code.startsWith("CONTRACT_")).map(({ what }: Finding) => what);
  };
  expect((await folder.records())["tags/published"]?.[0]).toContain('"colour":"red"');
  const met =
    'Records of the type Tag have the key "colour", which this version of Offprint does not know, for example "a". The snapshot keeps it.';
  expect(await contract()).toEqual([`Syncs found 1 difference from the API: ${met}`]);
  const difference = '2 records of tags have the key "colour", for example tags/published[0].colour.';
  expect(await contract("--contract")).toEqual([difference]);
  await runCli(["check"], { cwd: folder.dir });
  expect(await contract()).toEqual([`The last check found 1 difference from the API: ${difference}`]);
});

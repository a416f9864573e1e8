import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../../src/cli/doctor/diagnosis-finding.js";
import { runCli } from "../../support/run-cli.js";
import { sourceYaml } from "../../support/sync-folder.js";
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

import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { builtMain, runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const recipes = resolve(import.meta.dirname, "..", "..", "docs", "recipes");

/** A project that was deployed at generation 1 and has generation 2, with a built site that lacks pages. */
async function project() {
  const [cwd, deployed, bin] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  await writeFile(
    join(cwd, "sync.config.yaml"),
    'source: { url: "demo:", token: demo, include: { startsWith: ["home", "press/"] } }\n',
  );
  const offprint = (...args: string[]) => runCli(args, { cwd });
  await offprint("sync", "--quiet");
  await copyFile(join(cwd, "output/content/index.json"), join(deployed, "offprint.json"));
  await offprint("demo", "--edit", "publish", "--quiet");
  await offprint("sync", "--quiet");
  await mkdir(join(cwd, "dist"));
  await writeFile(join(cwd, "dist/index.html"), '<html lang="en"><body>Home');
  const note = { body: "" };
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return response.end(await readFile(join(deployed, "offprint.json")));
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    note.body = `${request.headers["private-token"]} ${request.url}\n${Buffer.concat(parts)}`;
    return response.writeHead(201).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await command(bin, "npx", `shift; exec "${process.execPath}" "${builtMain}" "$@"`);
  await command(bin, "gh", `echo "$@" > "${join(cwd, "gh.txt")}"`);
  const env = { PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`, HOME: cwd, CI: "true", SITE_URL: url };
  const run = (lines: string, more: Record<string, string>) =>
    promisify(execFile)("bash", ["-e", "-o", "pipefail", "-c", lines], { cwd, env: { ...env, ...more } });
  return { cwd, url, note, run };
}

async function command(bin: string, name: string, lines: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${lines}\n`);
  await chmod(join(bin, name), 0o755);
}

test("the steps of the report's recipe for GitHub write a summary and a comment, and fail for the build", {
  tags: "long",
  timeout: 120_000,
}, async () => {
  const { cwd, run } = await project();
  const { jobs } = parse(await readFile(join(recipes, "report-github.yml"), "utf8"));
  const steps: string[] = jobs.report.steps.flatMap((step: { run?: string }) => step.run ?? []);
  const env = { GITHUB_STEP_SUMMARY: join(cwd, "summary.md"), NUMBER: "7", GH_TOKEN: "x" };
  await run(steps.find((step) => step.includes("offprint report"))!, env);
  const summary = await readFile(join(cwd, "summary.md"), "utf8");
  expect(summary).toContain("Generation 2, compared with generation 1 (deployed at http://127.0.0.1");
  expect(summary).toMatch(/- Built site: 1 page, \d+ findings?/);
  expect(await readFile(join(cwd, "gh.txt"), "utf8")).toBe(
    "pr comment 7 --edit-last --create-if-none --body-file report.md\n",
  );
  await expect(run(steps.at(-1)!, env)).rejects.toMatchObject({
    code: 10,
    stdout: expect.stringContaining("::error"),
  });
});

test("the script of the report's recipe for GitLab writes a note, with the token in a header", {
  tags: "long",
  timeout: 120_000,
}, async () => {
  const { note, run, url } = await project();
  const { report } = parse(await readFile(join(recipes, "report-gitlab.yml"), "utf8"));
  const lines: string[] = report.script.filter((line: string) => /offprint report|curl/.test(line));
  const env = { REPORT_TOKEN: "secret", CI_API_V4_URL: url, CI_PROJECT_ID: "3", CI_MERGE_REQUEST_IID: "5" };
  await run(lines.join("\n"), env);
  expect(note.body).toMatch(/^secret \/projects\/3\/merge_requests\/5\/notes\nbody=%23\+Content\+report/);
  await expect(run(report.script.at(-1), env)).rejects.toMatchObject({ code: 10 });
});

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openSnapshot } from "../../src/site/open-snapshot.js";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { openServedBucket } from "../support/s3-endpoint.js";
import { keyVariables } from "../support/s3-machine.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

/** Two generations in a bucket on the machine that synced them, and a folder with the later one pulled. */
async function bucketAndCopy() {
  const space = await startTinySpace();
  const at = await openServedBucket();
  const address = `s3://${at.bucket}/site`;
  const env = { ...keyVariables(at), AWS_ENDPOINT_URL_S3: at.endpoint, AWS_REGION: at.region };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const machine = async (output: string) => {
    const dir = await temporaryFolder();
    const yaml = `source: { url: "${space.url}", token: test-token }\nqueue: { retries: 0 }\nassets: { download: false }\noutput: { dir: output${output} }\n`;
    await writeFile(join(dir, "sync.config.yaml"), yaml);
    return { dir, run: (...args: string[]) => runCommand(args, { cwd: dir, env }) };
  };
  const shared = await machine(`, store: "${address}", s3: { singleWriter: true }`);
  expect(await shared.run("sync")).toMatchObject({ code: 0 });
  space.cv += 10;
  space.stories[0]!.headline = "Edited";
  expect(await shared.run("sync")).toMatchObject({ code: 0 });
  const copy = await machine("");
  expect(await copy.run("pull", "--from", address)).toMatchObject({ code: 0 });
  return { space, address, env, shared, copy };
}

test("all commands work over a bucket and in a pulled folder, reading or writing", async () => {
  const { space, address, env, shared, copy } = await bucketAndCopy();
  const slug = String(space.stories[0]!.slug);
  const reading: [args: string[], sign: RegExp][] = [
    [["status"], /generation +2/],
    [["status", "--offline", "--history"], /./],
    [["types"], /export type/],
    [["changes", "--for", "site"], /"full":"first"/],
    [["changes", "--for", "site", "--commit"], /site is up to date with generation 2/],
    [["verify", "--all"], /all match the manifest/],
    [["show", slug], /Edited/],
    [["check"], /of generation 2/],
    [["usage"], /Generation 2/],
    [["export"], /Generation 2/],
    [["serve", "--openapi"], /"openapi"/],
  ];
  for (const { run } of [shared, copy]) {
    for (const [args, sign] of reading) {
      const { code, stdout, stderr } = await run(...args);
      expect(code, `${args.join(" ")}: ${stderr}`).toBe(0);
      expect(stdout + stderr, args.join(" ")).toMatch(sign);
    }
    expect((await run("doctor")).stdout).toMatch(/holds generation 2 /);
  }
  const earlier: [args: string[], sign: RegExp][] = [
    [["diff", "1", "2"], /^~ /m],
    [["diff", "--story", slug], /Edited/],
    [["show", slug, "--generation", "1"], /generation 1 /],
    [["changes", "--since", "1"], /"change":"upsert"/],
    [["check", "--new"], /generation 1 did not have/],
  ];
  for (const [args, sign] of earlier) {
    const there = await shared.run(...args);
    expect(there.code, there.stderr).toBe(0);
    expect(there.stdout + there.stderr, args.join(" ")).toMatch(sign);
    // The copy has only the current generation, so everything is new.
    const here = await copy.run(...args);
    const isNew = args.includes("--new");
    expect([args.join(" "), here.code]).toEqual([args.join(" "), isNew ? 0 : 2]);
    if (isNew) expect(here.stdout).toMatch(/of generation 2/);
    else expect(here.stderr, args.join(" ")).toContain("[SNAPSHOT_MISSING]");
  }
  expect(await copy.run("serve", "--from", "s3://nowhere/site", "--port", "0")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[STORE_MISSING]"),
  });
  const snapshot = await openSnapshot(address, { store: { cacheDir: await temporaryFolder() } });
  expect(snapshot).toMatchObject({ address, generation: 2 });
  await snapshot.close();
  await lookAtPages(copy.dir, address, env);
  expect(await copy.run("sync", "--exit-code")).toMatchObject({ code: 9 });
  space.cv += 10;
  space.stories[0]!.headline = "Edited here";
  const later = await copy.run("sync", "--json");
  expect(JSON.parse(later.stdout)).toMatchObject({ outcome: "committed", generation: 3 });
  expect((await copy.run("diff")).stdout).toMatch(/^~ /m);
  expect(await copy.run("pull", "--from", address)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("[SNAPSHOT_AHEAD]"),
  });
}, 30_000);

/** Opens the explorer of a bucket like a browser does. */
async function lookAtPages(cwd: string, address: string, env: Record<string, string>): Promise<void> {
  let printed = "";
  const said = new EventTarget();
  const ended = runCli(["serve", "--from", address, "--port", "0", "--explorer"], {
    cwd,
    env,
    onStart(child) {
      onTestFinished(() => void child.kill("SIGKILL"));
      const look = (text: Buffer) => {
        printed += text.toString();
        if (printed.includes("Stop it")) said.dispatchEvent(new Event("ready"));
      };
      child.stdout?.on("data", look);
      child.stderr?.on("data", look);
      said.addEventListener("done", () => child.kill("SIGTERM"));
    },
  });
  await Promise.race([
    once(said, "ready"),
    ended.then(({ stderr }) => {
      throw new Error(stderr);
    }),
  ]);
  const [url = ""] = /http:\/\/[\d.]+:\d+/.exec(printed) ?? [];
  const answer = await fetch(`${url}/v2/cdn/stories?token=test-token&version=published`);
  expect(JSON.stringify(await answer.json())).toContain("Edited");
  expect((await fetch(`${url}/_explorer/`)).status).toBeLessThan(500);
  said.dispatchEvent(new Event("done"));
  expect((await ended).code).toBe(0);
}

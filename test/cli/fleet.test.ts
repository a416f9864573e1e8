import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openOutput } from "../../src/snapshot/open-output.js";
import { startEditableSpace } from "../support/editable-space.js";
import { collectOutput } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Number of spaces in the first test: 60 with OFFPRINT_SPACES=60, otherwise as many as take a second. */
const many = Number(process.env.OFFPRINT_SPACES ?? 12);
const main = resolve(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

/** The part of a `--json` line that the tests check. */
interface Line {
  space: string;
  outcome?: string;
  exitCode?: number;
  generation?: number | null;
  problems: { code: string; hint: string }[];
}

/** A fleet of spaces on one server, each with its own token. */
async function fleet(count: number, more: (name: string) => string = () => "") {
  const names = Array.from({ length: count }, (_, number) => `s${number}`);
  const tokenOf = (name: string) => `token-of-${name}`;
  const stories = ["home", "blog/one", "blog/two"].map((slug) => ({ name: slug, slug }));
  const space = await startEditableSpace({ stories }, names.map(tokenOf));
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  const spaces = names.map(
    (name) => `  ${name}: { source: { token: "\${${name}:-${tokenOf(name)}}" }${more(name)} }\n`,
  );
  await writeFile(
    join(dir, "sync.config.yaml"),
    `defaults: { source: { url: "${space.url}" }, queue: { retries: 0 } }\nspaces:\n${spaces.join("")}`,
  );
  const run = (...args: string[]) => runCommand(args, { cwd: dir });
  return { space, dir, names, run };
}

function linesOf(stdout: string): Line[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .sort((a, b) => Number(a.space.slice(1)) - Number(b.space.slice(1)));
}

describe("a sync of many spaces", () => {
  test("continues after a refused token and a full disk, with one request per unchanged space", async () => {
    const { space, dir, names, run } = await fleet(many);
    const full = join(dir, "output", "s5");
    await mkdir(full, { recursive: true });
    const script = `mount -t tmpfs -o size=16k none "${full}" && exec "$@"`;
    const args = [
      "--mount",
      "--propagation",
      "private",
      "sh",
      "-c",
      script,
      "sh",
      process.execPath,
      main,
      "sync",
      "--json",
    ];
    const { PATH = "" } = process.env;
    const env = { PATH, CI: "true", s2: "token-that-nobody-accepts" };
    const first = await collectOutput(spawn("unshare", args, { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] }));

    expect(first.code, first.stderr).toBe(4);
    const lines = linesOf(first.stdout);
    expect(lines.map(({ space: name }) => name)).toEqual(names);
    for (const line of lines) {
      if (line.space === "s2")
        expect(line).toMatchObject({ outcome: "failed", exitCode: 4, problems: [{ code: "UPSTREAM_REFUSED" }] });
      else if (line.space === "s5")
        expect(line).toMatchObject({ outcome: "failed", exitCode: 12, problems: [{ code: "NO_SPACE" }] });
      else expect(line).toMatchObject({ outcome: "committed", generation: 1, problems: [] });
    }
    expect(first.stderr).toContain(`✖ ${many} spaces: ${many - 2} done. Exit code 4: s2; 12: s5. The worst is 4.\n`);
    expect(first.stderr).not.toContain("token-that-nobody-accepts");

    // With the right token and enough room, these two are read and the others probed.
    const healed = await run("sync", "--json");
    expect(healed.code, healed.stderr).toBe(0);
    const outcomes = linesOf(healed.stdout).map(({ space: name, outcome }) => `${name} ${outcome}`);
    expect(outcomes).toEqual(names.map((name) => `${name} ${["s2", "s5"].includes(name) ? "committed" : "unchanged"}`));

    const before = space.requests();
    const unchanged = await run("sync", "--exit-code");
    expect(unchanged).toMatchObject({ code: 9, stdout: "" });
    expect(space.requests() - before).toBe(many);
    const said = unchanged.stderr.trim().split("\n");
    expect(said).toHaveLength(many + 1);
    for (const name of names)
      expect(said).toContainEqual(expect.stringMatching(new RegExp(`^${name} += Unchanged: generation 1 .*1 request`)));
  });

  test("skips a space that another process writes, and commits the rest", async () => {
    const { space, dir, run } = await fleet(3);
    expect((await run("sync")).code).toBe(0);
    await space.publish(({ stories }) => {
      stories[0]!.headline = "New";
      stories[0]!.publishedAt = "2024-02-01T00:00:00.000Z";
    });
    const lock = await openOutput({ dir: join(dir, "output", "s1") }).lock();
    const { code, stdout } = await run("sync", "--json");
    await lock.release();
    expect(code).toBe(11);
    expect(linesOf(stdout)).toMatchObject([
      { space: "s0", outcome: "committed", generation: 2 },
      { space: "s1", outcome: "failed", exitCode: 11, problems: [{ code: "LOCKED" }] },
      { space: "s2", outcome: "committed", generation: 2 },
    ]);
    expect(linesOf((await run("sync", "--json", "--space", "s1")).stdout)).toMatchObject([
      { space: "s1", outcome: "committed", generation: 2 },
    ]);
  });

  test("prints commands for the space that they concern", async () => {
    const { run } = await fleet(2);
    const missing = await run("verify");
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("s1    → Run `offprint sync --space s1` first");
    const { stdout } = await run("verify", "--json", "--space", "s0,s1");
    expect(linesOf(stdout).map(({ problems }) => problems[0]?.hint)).toEqual([
      expect.stringContaining("`offprint sync --space s0`"),
      expect.stringContaining("`offprint sync --space s1`"),
    ]);
  });

  test("requires the names of spaces before it removes or replaces much", async () => {
    const { run, space } = await fleet(2);
    for (const flag of ["--force-remove", "--replace"]) {
      expect(await run("sync", flag)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${flag} would apply to all 2 spaces`),
      });
    }
    expect(space.requests()).toBe(0);
    expect((await run("sync", "--force-remove", "--space", "s0", "--space", "s1")).code).toBe(0);
  });

  test("only plans every space with --dry-run", async () => {
    const { run } = await fleet(2);
    const { code, stdout } = await run("sync", "--dry-run", "--json");
    expect(code).toBe(0);
    expect(linesOf(stdout)).toMatchObject([{ plan: { requests: expect.any(Number) } }, { plan: {} }]);
    expect(linesOf((await run("status", "--json")).stdout)).toMatchObject([{ generation: null }, { generation: null }]);
  });
});

describe("other commands", () => {
  test("on local data: print a table, verify the generations, render the content", async () => {
    const { run, space } = await fleet(3);
    await run("sync", "--space", "s0,s1");
    const before = space.requests();
    const { code, stdout } = await run("status");
    expect(code).toBe(2);
    expect(stdout.replace(/\d+ s ago/g, "0 s ago").split("\n")).toEqual([
      "space  generation  confirmed  level  requests in 7 days  problems",
      "s2     –           never      –      0                   1 SNAPSHOT_MISSING",
      "s0     1           0 s ago    exact  9                   none",
      "s1     1           0 s ago    exact  9                   none",
      "",
    ]);
    for (const flag of ["--failed", "--stale"]) {
      const needing = await run("status", "--json", flag);
      expect(linesOf(needing.stdout)).toMatchObject([{ space: "s2", stale: true }]);
      expect(needing.code).toBe(2);
    }
    const documents = (await run("status", "--all", "--json", "--space", "s1,s2")).stdout;
    expect(linesOf(documents)).toMatchObject([
      { space: "s1", generation: 1, level: "exact", lastWeek: { requests: 9, runs: 1, isWhole: true }, exitCode: 0 },
      { space: "s2", generation: null, exitCode: 2, problems: [{ code: "SNAPSHOT_MISSING" }] },
    ]);
    expect(space.requests()).toBe(before);

    const verified = await run("verify", "--space", "s0,s1", "--json");
    expect(verified.code).toBe(0);
    expect(linesOf(verified.stdout)).toMatchObject([
      { space: "s0", problems: [] },
      { space: "s1", problems: [] },
    ]);
    const rendered = await run("export", "--space", "s0,s1");
    expect(rendered).toMatchObject({ code: 0, stderr: expect.stringContaining("s1  ✔ Generation 1: 0 files written") });
  });

  test("on one space ask which one, and work on it", async () => {
    const { run } = await fleet(2);
    await run("sync");
    for (const command of [["diff"], ["rollback"], ["types"], ["status", "--history"]]) {
      const { code, stderr } = await run(...command);
      expect(code).toBe(2);
      expect(stderr).toContain("Name one of them with --space. Spaces here: s0, s1.");
    }
    expect((await run("types", "--space", "s1")).stdout).toContain("headline");
    const { stdout } = await run("status", "--space", "s1");
    expect(stdout).toContain("upstream     the same");
    expect(await run("status", "--space", "s9")).toMatchObject({ code: 2, stderr: expect.stringContaining("s9") });
  });

  test("status --all prints a table for one space too", async () => {
    const { dir } = await fleet(1);
    await writeFile(join(dir, "one.yaml"), "source: { url: 'http://127.0.0.1:1', token: token-of-one }\n");
    const { stdout } = await runCommand(["status", "--all", "-c", "one.yaml"], { cwd: dir });
    expect(stdout).toMatch(/^one {4}– {11}never/m);
  });
});

describe("a replica of several spaces", () => {
  test("answers each token from its space, and omits spaces that are not synced yet", async () => {
    const { dir, run } = await fleet(3, () => ", serve: { port: 0 }");
    await run("sync", "--space", "s0,s2");
    const served = spawn(process.execPath, [main, "serve", "--json"], { cwd: dir, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void served.kill());
    const ended = collectOutput(served);
    let printed = "";
    await new Promise<void>((done) =>
      served.stdout.on("data", (text: string) => {
        printed += text;
        if (printed.split("\n").length === 3) done();
      }),
    );
    const lines = linesOf(printed) as (Line & { url: string })[];
    expect(lines).toMatchObject([
      { space: "s0", generation: 1 },
      { space: "s2", generation: 1 },
    ]);
    const statusFor = async (name: string) =>
      (await fetch(`${lines[0]?.url}/v2/cdn/spaces/me?token=token-of-${name}`)).status;
    expect([await statusFor("s0"), await statusFor("s1"), await statusFor("s2")]).toEqual([200, 401, 200]);
    served.kill("SIGINT");
    expect((await ended).stderr).toMatch(/There is no snapshot in .*s1\. It is not served\./);
  });

  test("listens on one address", async () => {
    const { run } = await fleet(2, (name) => `, serve: { port: ${name === "s0" ? 0 : 4401} }`);
    expect(await run("serve")).toMatchObject({ code: 2, stderr: expect.stringContaining("s0 and s1 differ") });
  });
});

test("prints no space name for a configuration of one space", async () => {
  const { dir, space } = await fleet(1);
  await writeFile(join(dir, "one.yaml"), `source: { url: "${space.url}", token: token-of-s0 }\noutput: { dir: one }\n`);
  const text = await runCommand(["sync", "-c", "one.yaml"], { cwd: dir });
  expect(text.stderr).toMatch(/^✔ Generation 1 \(exact\)/);
  const { stdout } = await runCommand(["sync", "-c", "one.yaml", "--json"], { cwd: dir });
  expect(JSON.parse(stdout)).not.toHaveProperty("space");
  expect(stdout.split("\n")[1]).toBe('  "schema": 1,');
  expect(await readFile(join(dir, "one", "manifest.json"), "utf8")).toContain('"generation"');
});

// @module-tag long
import type { ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { startFrontServer } from "../support/front-server.js";
import { type CliRun, runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** How often the configuration is read again under load; `OFFPRINT_RELOADS=1000` takes a few minutes. */
const reloads = Number(process.env.OFFPRINT_RELOADS ?? 30);
const secret = "the-secret-of-the-hooks";
const [oldToken, newToken] = ["token-of-yesterday", "token-of-today"];

const eachSecond = '{ cron: "* * * * * *", jitter: 0s }';

type Line = Record<string, unknown> & { kind: string; space?: string; run?: string };

/** Spaces behind one upstream, which notes the tokens of requests, and a process that watches them. */
async function watching() {
  const space = await startEditableSpace(
    { cv: Math.floor(Date.now() / 1000) - 100, stories: [{ name: "home", slug: "home" }] },
    [oldToken, newToken],
  );
  onTestFinished(() => space.close());
  const tokens: string[] = [];
  const front = await startFrontServer(space.url, async ({ query }) => {
    tokens.push(query.get("token") ?? "");
    // A run takes a while, so that many are under way at a reload.
    await delay(30);
    return undefined;
  });
  onTestFinished(() => front.close());
  const dir = await temporaryFolder();
  const file = join(dir, "sync.config.yaml");
  /** Replaces the file at once, as an editor or a deployment does. */
  const configure = async (spaces: string): Promise<void> => {
    const source = `source: { url: "${front.url}", settle: 0s, recheck: 0s }`;
    const text = `defaults:\n  ${source}\n  content: { formats: [] }\nspaces:\n${spaces}`;
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  let child: ChildProcess | undefined;
  let ended: Promise<CliRun> | undefined;
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  const start = () => {
    let rest = "";
    ended = runCli(["watch", "--json", "--log-format", "json", "--listen", "127.0.0.1:0"], {
      cwd: dir,
      onStart(started) {
        child = started;
        started.stdout?.on("data", (text: string) => {
          const whole = `${rest}${text}`.split("\n");
          rest = whole.pop() ?? "";
          for (const line of whole) lines.push(JSON.parse(line) as Line);
          for (const listener of listeners) listener();
        });
      },
    });
    onTestFinished(() => void child?.kill("SIGKILL"));
    return ended;
  };
  const heard = (fits: (line: Line) => boolean, count = 1): Promise<Line> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = lines.filter(fits);
        if (found.length < count) return;
        listeners.delete(look);
        resolve(found.at(-1)!);
      };
      listeners.add(look);
      look();
      void ended?.then(({ code, stderr }) =>
        reject(new Error(`ended with ${code} before it was heard: ${stderr.slice(-2000)}`)),
      );
    });
  return {
    space,
    url: front.url,
    tokens,
    dir,
    configure,
    start,
    lines,
    heard,
    kill: (signal: NodeJS.Signals) => child!.kill(signal),
  };
}

const generationOf = async (dir: string, name: string) =>
  (JSON.parse(await readFile(join(dir, "output", name, "manifest.json"), "utf8")) as { generation: number }).generation;

test(`${reloads} reloads under load lose no run, double none, and change spaces and tokens`, {
  timeout: 60_000 + reloads * 2000,
}, async () => {
  const { space, tokens, dir, configure, start, lines, heard, kill } = await watching();
  const busy = Array.from({ length: 8 }, (_, number) => `s${number}`);
  const spacesAt = (reload: number) => {
    const token = reload % 2 === 0 ? oldToken : newToken;
    const every = busy.map((name) => `  ${name}: { source: { token: ${token} }, schedule: ${eachSecond} }\n`);
    const hooked = `  hooked: { source: { token: ${oldToken} }, webhooks: { secret: ${secret} }, schedule: { every: 24h, maxAge: ${reload + 2}h } }\n`;
    const passing = `  passing: { source: { token: ${oldToken} }, schedule: ${eachSecond} }\n`;
    return `${every.join("")}${hooked}${reload % 3 === 1 ? passing : ""}`;
  };
  await configure(spacesAt(0));
  const ended = start();
  const { url } = await heard(({ kind }) => kind === "started");
  await heard(({ kind, space: name }) => kind === "run-ended" && name === "hooked");
  const announce = async (story: number) => {
    const body = JSON.stringify({ action: "published", space_id: 77, story_id: story });
    const headers = { "webhook-signature": createHmac("sha1", secret).update(body).digest("hex") };
    return (await fetch(`${url}/hooks/hooked`, { method: "POST", body, headers })).status;
  };
  const oneMoreRun = () =>
    Promise.all(
      busy.map((name) => {
        const isRun = (line: Line) => line.kind === "run-ended" && line.space === name;
        return heard(isRun, lines.filter(isRun).length + 1);
      }),
    );
  for (let reload = 1; reload <= reloads; reload++) {
    await configure(spacesAt(reload));
    if (reload % Math.ceil(reloads / 5) === 0) {
      await space.publish((content) => {
        content.stories[0] = { ...content.stories[0]!, headline: `As of ${reload}` };
        // A younger one would make the runs wait; ten are added.
        content.cv = Math.max(content.cv - 9, Math.floor(Date.now() / 1000) - 13);
      });
      expect(await announce(reload)).toBe(202);
    }
    kill("SIGHUP");
    await heard(({ kind }) => kind === "reloaded", reload);
    // An odd one: with the new token. What was under way ends with the old one first.
    if (reload === 7) await oneMoreRun().then(oneMoreRun);
  }
  // Its next turn is tomorrow: only the event can have brought the last change.
  const lastCv = space.content.cv;
  await heard((line) => line.space === "hooked" && Number((line.report as { cv?: number } | undefined)?.cv) >= lastCv);
  // Runs that were under way at the last reload.
  await oneMoreRun();
  const requestsBefore = tokens.length;
  await oneMoreRun();
  const lastToken = reloads % 2 === 0 ? oldToken : newToken;
  expect(new Set(tokens.slice(requestsBefore))).toEqual(new Set([lastToken]));
  const fresh = (await (await fetch(`${url}/fresh/hooked`)).json()) as { spaces: { maxAgeSeconds: number }[] };
  expect(fresh.spaces[0]!.maxAgeSeconds).toBe((reloads + 2) * 3600);
  expect((await fetch(`${url}/fresh/passing`)).status).toBe(reloads % 3 === 1 ? 200 : 404);
  kill("SIGTERM");
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);

  const open = new Map<string, string>();
  let [runs, underWay] = [0, 0];
  for (const { kind, space: name = "", run = "" } of lines) {
    if (kind === "run-started") {
      expect(open.get(name), `two runs of ${name} at once`).toBeUndefined();
      open.set(name, run);
      runs += 1;
    } else if (kind === "run-ended") {
      expect(open.get(name), `a run of ${name} that ended twice`).toBe(run);
      open.delete(name);
    } else if (kind === "reloaded" && open.size > 0) underWay += 1;
  }
  expect([...open]).toEqual([]);
  const failed = lines.filter((line) => line.kind === "run-ended" && line.outcome === "failed");
  expect(failed.map(({ problems }) => problems)).toEqual([]);
  const commits = lines.filter(({ kind, outcome }) => kind === "run-ended" && outcome === "committed");
  const perGeneration = commits.map((line) => `${line.space} ${(line.report as { generation: number }).generation}`);
  expect(new Set(perGeneration).size).toBe(perGeneration.length);
  expect(await generationOf(dir, "hooked")).toBe(commits.filter(({ space: name }) => name === "hooked").length);
  expect(tokens).toContain(newToken);
  for (const hidden of [secret, oldToken, newToken]) expect(`${stdout}${stderr}`).not.toContain(hidden);
  expect(underWay).toBeGreaterThan(0);
  process.stdout.write(
    `  ${reloads} reloads, ${underWay} of them while a run was under way; ${runs} runs, ${commits.length} commits\n`,
  );
});

test("a changed file is taken over without a signal; an invalid one is reported with places, and the old one stays", async () => {
  const { dir, configure, start, lines, heard, kill } = await watching();
  await configure(`  blog: { source: { token: ${oldToken} }, schedule: { every: 1h } }\n`);
  const ended = start();
  await heard(({ kind, space }) => kind === "run-ended" && space === "blog");
  await configure(`  blog: { source: { token: ${oldToken} }, schedule: { every: 1x } }\n`);
  const invalid = await heard(({ kind }) => kind === "reload-failed");
  expect(invalid.problems).toMatchObject([
    { code: "CONFIG_INVALID", message: expect.stringContaining("sync.config.yaml:5:") },
  ]);
  await configure(
    `  blog: { source: { token: ${oldToken} }, schedule: { every: 1h } }\n  docs: { source: { token: ${newToken} }, schedule: { every: 1h } }\n`,
  );
  expect(await heard(({ kind }) => kind === "reloaded")).toMatchObject({ added: ["docs"], changed: [], removed: [] });
  expect(await heard(({ kind, space }) => kind === "run-ended" && space === "docs")).toMatchObject({
    outcome: "committed",
  });
  expect(await generationOf(dir, "docs")).toBe(1);
  expect(lines.filter(({ kind, space }) => kind === "run-started" && space === "blog")).toHaveLength(1);
  kill("SIGTERM");
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  const told = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(told).toContainEqual(
    expect.objectContaining({ level: "error", code: "CONFIG_INVALID", message: expect.stringContaining(":5:") }),
  );
});

test("follows files that a pattern comes to match, and files of a configuration that it could not use", async () => {
  const { url, dir, configure, start, lines, heard, kill } = await watching();
  const written = async (name: string, schedule: string) => {
    const source = `source: { url: "${url}", token: ${oldToken}, settle: 0s, recheck: 0s }`;
    const rest = `content: { formats: [] }\noutput: { dir: "${join(dir, "output", name)}" }\nschedule: ${schedule}\n`;
    await writeFile(join(dir, "more", `${name}.yaml`), `${source}\n${rest}`);
  };
  await mkdir(join(dir, "more"));
  await written("docs", "{ every: 1h }");
  const blog = `  blog: { source: { token: ${oldToken} }, schedule: { every: 1h } }\n`;
  await configure(`${blog}files: ["more/d*.yaml"]\n`);
  const ended = start();
  await heard(({ kind, space }) => kind === "run-ended" && space === "docs");
  await written("drafts", "{ evry: 1h }");
  const failed = ({ kind }: Line) => kind === "reload-failed";
  expect((await heard(failed)).problems).toMatchObject([{ message: expect.stringContaining("schedule.evry") }]);
  await written("drafts", "{ every: 1h }");
  expect(await heard(({ kind }) => kind === "reloaded")).toMatchObject({ added: ["drafts"], changed: [], removed: [] });
  await configure(`${blog}files: ["more/d*.yaml", more/shop.yaml]\n`);
  expect((await heard(failed, 2)).problems).toMatchObject([
    { message: expect.stringContaining("shop.yaml is not there") },
  ]);
  await written("shop", "{ every: 1h }");
  expect(await heard(({ kind }) => kind === "reloaded", 2)).toMatchObject({
    added: ["shop"],
    changed: [],
    removed: [],
  });
  expect(lines.filter(failed)).toHaveLength(2);
  kill("SIGTERM");
  expect((await ended).code).toBe(0);
});

import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkConsumers, checkHooks, gatherConsumers } from "../../../src/cli/doctor/check-consumers.js";
import { checkExportMemory, checkNode, gatherNode } from "../../../src/cli/doctor/check-node.js";
import { checkProxy } from "../../../src/cli/doctor/check-proxy.js";
import { checkSchedule, findScheduledWorkflows } from "../../../src/cli/doctor/check-schedule.js";
import { checkContentLock, checkPaths, checkWebhooks } from "../../../src/cli/doctor/check-settings.js";
import { exitCodeOf, type Finding, finding } from "../../../src/cli/doctor/diagnosis-finding.js";
import { longestGapMs, parseCron } from "../../../src/config/cron.js";
import { cursorText } from "../../../src/snapshot/cursors.js";
import { cursorFile } from "../../../src/snapshot/layout.js";
import { openOutput } from "../../../src/snapshot/open-output.js";
import { sampleConfig } from "../../support/sample-config.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const codesOf = (findings: readonly Finding[]) => findings.map(({ code }) => code);
const minute = 60_000;
const day = 24 * 60 * minute;

test("accepts this process; rejects an old, a short-lived or a cramped one", () => {
  expect(codesOf(checkNode(gatherNode()))).toEqual([expect.stringMatching(/^NODE_(?:OK|SHORT_LIVED)$/)]);
  const good = { version: "22.1.0", heapLimit: 2 ** 31, memory: 2 ** 33, openFiles: 1024 };
  const codes = (more: object) => codesOf(checkNode({ ...good, ...more }));
  expect(codes({})).toEqual(["NODE_OK"]);
  expect(codes({ version: "20.18.3" })).toEqual(["NODE_TOO_OLD"]);
  expect(codes({ version: "18.20.0" })).toEqual(["NODE_TOO_OLD"]);
  expect(codes({ version: "23.4.0" })).toEqual(["NODE_SHORT_LIVED"]);
  expect(codes({ memory: 2 ** 29 })).toEqual(["NODE_OK", "NODE_MEMORY"]);
  expect(codes({ heapLimit: 2 ** 26 })).toEqual(["NODE_OK", "NODE_MEMORY"]);
  expect(codes({ openFiles: 32 })).toEqual(["NODE_OK", "NODE_OPEN_FILES"]);
});

test("warns of too little memory for an export of every file, and says how much it takes", () => {
  const need = { bytes: 2 ** 30, stories: 100_000 };
  expect(checkExportMemory(need, 2 ** 30)).toEqual([]);
  const [warning] = checkExportMemory(need, 380 * 2 ** 20);
  expect(warning).toMatchObject({ code: "NODE_MEMORY", level: "warning" });
  expect(warning!.what).toBe("This process may use 380MB. An export of all 100000 stories may take 1GB.");
});

test("shows only the host of a proxy, and whether NO_PROXY covers the upstream", () => {
  const url = "https://api.storyblok.com";
  const found = (env: Record<string, string>, upstream: string | undefined = url) => checkProxy(env, upstream);
  expect(codesOf(found({}))).toEqual(["PROXY_NONE"]);
  const [used] = found({ HTTPS_PROXY: "http://me:pa55word@proxy.corp:3128" });
  expect(used).toMatchObject({ code: "PROXY_USED", what: expect.stringContaining("proxy.corp:3128") });
  expect(JSON.stringify(used)).not.toMatch(/pa55word|me:/);
  for (const noProxy of ["*", "storyblok.com", "a.example .storyblok.com", "API.storyblok.com:443"]) {
    expect(codesOf(found({ https_proxy: "proxy:1", NO_PROXY: noProxy }))).toEqual(["PROXY_BYPASSED"]);
  }
  for (const noProxy of ["blok.com", "api.storyblok.com:80", "api", "a,*"]) {
    expect(codesOf(found({ https_proxy: "proxy:1", NO_PROXY: noProxy }))).toEqual(["PROXY_USED"]);
  }
  expect(codesOf(found({ HTTPS_PROXY: "proxy:1" }, "http://api.example.com"))).toEqual(["PROXY_BYPASSED"]);
  expect(codesOf(found({ HTTP_PROXY: "proxy:1" }, "http://127.0.0.1:4400"))).toEqual(["PROXY_BYPASSED"]);
  expect(codesOf(found({ HTTPS_PROXY: "http://" }))).toEqual(["PROXY_INVALID"]);
  const [socks] = found({ HTTPS_PROXY: "socks5://me:pa55word@proxy:1080" });
  expect(socks).toMatchObject({
    code: "PROXY_INVALID",
    what: expect.stringContaining("socks5:// proxy, which is not"),
  });
  expect(JSON.stringify(socks)).not.toContain("pa55word");
  expect(found({ ALL_PROXY: "socks5://proxy:1080" })).toMatchObject([
    { code: "PROXY_IGNORED", level: "warning", what: "ALL_PROXY is set, and not read." },
  ]);
  expect(codesOf(found({ ALL_PROXY: "proxy:1", HTTPS_PROXY: "proxy:1" }))).toEqual(["PROXY_USED"]);
});

test("compares the schedule with the time that runs need", () => {
  const facts = { schedule: { maxAgeMs: 60 * minute }, runs: [{ durationMs: 3000 }], workflows: [] };
  const codes = (more: object) => codesOf(checkSchedule({ ...facts, ...more }));
  expect(codes({})).toEqual(["SCHEDULE_OK"]);
  expect(codes({ runs: [{ durationMs: 6 * minute }] })).toEqual(["SCHEDULE_SHORT"]);
  // Only recent runs count, because the first sync of a space takes longest.
  const later = Array.from({ length: 10 }, () => ({ durationMs: 10 }));
  expect(codes({ runs: [{ durationMs: 6 * minute }, ...later] })).toEqual(["SCHEDULE_OK"]);
  expect(codes({ schedule: { everyMs: 60 * minute, maxAgeMs: 60 * minute } })).toEqual(["SCHEDULE_MAX_AGE"]);
  const cron = { cron: "0 3 * * *", maxAgeMs: 60 * minute };
  expect(codes({ schedule: cron, cronIntervalMs: day })).toEqual(["SCHEDULE_MAX_AGE"]);
  const atNight = parseCron("0 3 * * 1-5");
  expect(longestGapMs(atNight, Date.UTC(2026, 0, 5))).toBe(3 * day);
  expect(codes({ schedule: cron })).toEqual(["SCHEDULE_OK"]);
  const told = (more: object) => checkSchedule({ ...facts, ...more }).map(({ what }) => what);
  expect(told({ schedule: { everyMs: minute, maxAgeMs: 60 * minute } })).toEqual([
    "The schedule leaves room: every 1m, at most 1h old.",
  ]);
  expect(told({})).toEqual(["No schedule is set. `offprint watch` takes the default: every 5m, at most 1h old."]);
  expect(told({ runs: [{ durationMs: 6 * minute }] })).toEqual([
    "No schedule is set. The interval of `offprint watch` is 5m, and a run lately took 6m.",
  ]);
});

test("finds only workflows that sync on GitHub's schedule", async () => {
  const folder = await temporaryFolder();
  const place = join(folder, ".github", "workflows");
  expect(await findScheduledWorkflows(folder)).toEqual([]);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "content.yml"), "on:\n  schedule:\n    - cron: '0 * * * *'\njobs: npx offprint sync\n");
  await writeFile(join(place, "nightly.yml"), "on:\n  schedule:\n    - cron: '0 3 * * *'\njobs: npm test\n");
  await writeFile(join(place, "push.yaml"), "on: push\njobs: npx offprint sync\n");
  const workflows = await findScheduledWorkflows(folder);
  expect(workflows).toEqual([join(".github", "workflows", "content.yml")]);
  const facts = { schedule: { maxAgeMs: 60 * minute }, runs: [], workflows };
  expect(codesOf(checkSchedule(facts))).toEqual(["SCHEDULE_OK", "SCHEDULE_GITHUB"]);
});

test("finds a webhook secret that can be guessed, and never shows it", () => {
  const found = (webhooks: object) =>
    checkWebhooks({ ...sampleConfig, webhooks: { signature: "storyblok", ...webhooks } });
  expect(codesOf(found({}))).toEqual(["WEBHOOKS_OPEN"]);
  expect(codesOf(found({ secret: "9f2c51d0a7b34e68" }))).toEqual(["WEBHOOKS_OK"]);
  expect(codesOf(found({ key: "s5Jd93kQmZxT71LpWv0aRb" }))).toEqual(["WEBHOOKS_OK"]);
  for (const secret of ["hunter2hunter2", "abcabcabcabcabcabcabc", sampleConfig.source.token]) {
    const findings = found({ secret });
    expect(codesOf(findings)).toEqual(["WEBHOOKS_WEAK"]);
    expect(JSON.stringify(findings)).not.toContain(`"${secret}`);
  }
  expect(codesOf(found({ key: "aaaaaaaaaaaaaaaaaaaaaaaaaa" }))).toEqual(["WEBHOOKS_WEAK"]);
});

test("looks up programs of onCommit like the system does", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin", "build-site"), "#!/bin/sh\n");
  await chmod(join(folder, "bin", "build-site"), 0o755);
  await writeFile(join(folder, "notes.txt"), "");
  const found = async (run: string | string[]) => {
    const onCommit = { site: { run, timeoutMs: 1000 } };
    return codesOf(await checkHooks({ onCommit, baseDir: folder }, { PATH: join(folder, "bin") }));
  };
  const lines = ["build-site --all", "NODE_ENV=production build-site", "cd site && anything", "(build-site)", "$CMD x"];
  for (const run of [...lines, ["build-site"], ["./bin/build-site"]]) expect(await found(run)).toEqual(["HOOKS_OK"]);
  for (const run of ["biuld-site", ["./notes.txt"], ["./bin"], ["build-site --all"]]) {
    expect(await found(run)).toEqual(["HOOK_NOT_FOUND"]);
  }
  expect(await checkHooks({ onCommit: {}, baseDir: folder }, {})).toEqual([]);
});

test("requires a valid lock file for check.drift", async () => {
  const lock = join(await temporaryFolder(), "content.lock.json");
  const found = async (drift: "evolve" | "freeze") => {
    return codesOf(await checkContentLock({ ...sampleConfig.check, drift, lock }));
  };
  expect([await found("evolve"), await found("freeze")]).toEqual([[], ["CONTENT_LOCK_MISSING"]]);
  await writeFile(lock, "{}");
  expect([await found("evolve"), await found("freeze")]).toEqual([[], ["CONTENT_LOCK_UNUSABLE"]]);
  await writeFile(lock, JSON.stringify({ schema: 1, components: {} }));
  expect(await found("freeze")).toEqual(["CONTENT_LOCK_OK"]);
});

test("reports a consumer that is long overdue, and how long its generation is kept", () => {
  const nowMs = 100 * day;
  const current = { generation: 9, committedAtMs: nowMs - day };
  const expected = { known: ["site"], current, keepMs: 30 * day, maxAgeMs: 60 * minute, nowMs };
  const at = (generation: number) => {
    const movedAt = new Date(nowMs - 3 * day).toISOString();
    return { format: 1, consumer: "", space: null, generation, checksum: "c", settings: "s", movedAt } as const;
  };
  const found = (consumer: string, cursor: ReturnType<typeof at> | "damaged") => [
    ...checkConsumers([{ consumer, cursor }], expected),
  ];
  expect(codesOf(found("site", at(9)))).toEqual(["CONSUMERS_OK"]);
  expect(found("site", at(7))).toMatchObject([
    {
      code: "CONSUMER_BEHIND",
      what: expect.stringContaining("generation 7 of 9, 3 d ago"),
      hint: expect.stringContaining("30d"),
    },
  ]);
  expect(codesOf(found("search", at(7)))).toEqual(["CONSUMER_BEHIND", "CONSUMER_UNKNOWN"]);
  expect(codesOf(found("site", "damaged"))).toEqual(["CONSUMER_DAMAGED"]);
  const fresh = { ...expected, current: { generation: 9, committedAtMs: nowMs - minute } };
  expect(codesOf(checkConsumers([{ consumer: "site", cursor: at(8) }], fresh))).toEqual(["CONSUMERS_OK"]);
  expect(checkConsumers([], expected)).toEqual([]);
});

test("reads each cursor in its folder, and reports a damaged one", async () => {
  const dir = await temporaryFolder();
  expect(await gatherConsumers({ dir })).toEqual([]);
  const { store } = openOutput({ dir });
  const cursor = { consumer: "site", space: null, generation: 7, checksum: "c", settings: "s", movedAt: "1970-01-02" };
  await store.replace(cursorFile("site"), Buffer.from(cursorText(cursor)));
  await store.replace(cursorFile("search"), Buffer.from("{"));
  expect(await gatherConsumers({ dir })).toEqual([
    { consumer: "search", cursor: "damaged" },
    { consumer: "site", cursor: { format: 1, ...cursor } },
  ]);
});

test("exits with the configuration's code, else the first error's; warnings and notes have none", () => {
  const exit = (...codes: Finding["code"][]) => exitCodeOf(codes.map((code) => finding(code, "")));
  expect(exit("CONFIG_OK", "DISK_LOW", "FOLDER_EMPTY")).toBe(0);
  expect(exit("TOKEN_REFUSED", "DISK_NOT_WRITABLE")).toBe(4);
  expect(exit("NODE_TOO_OLD", "HOST_UNREACHABLE")).toBe(2);
  expect(exit("FOLDER_OTHER_SPACE")).toBe(6);
  expect(exit("HOST_UNREACHABLE", "CONFIG_PROBLEM")).toBe(2);
});

test("notes a backslash in a path if it is not a separator", () => {
  const { output, content, assets, types } = sampleConfig;
  const config = { output: { ...output, dir: "/site/sub\\out" }, content, assets, types };
  expect(checkPaths(config, "/")).toMatchObject([{ code: "PATH_BACKSLASH", level: "note" }]);
  expect([...checkPaths(config, "\\"), ...checkPaths(sampleConfig, "/")]).toEqual([]);
});

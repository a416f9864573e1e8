import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { trialFolder, trialNoteFile, trialResultFile } from "../../../src/snapshot/layout.js";
import { assureBucket } from "../../../src/snapshot/store/assure-bucket.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { openBucket } from "../../../src/snapshot/store/s3/open-bucket.js";
import { runCommand } from "../../support/run-command.js";
import { openServedBucket } from "../../support/s3-endpoint.js";
import { sourceYaml } from "../../support/sync-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

async function openDoctor() {
  const at = await openServedBucket();
  const key = { AWS_ACCESS_KEY_ID: at.accessKeyId, AWS_SECRET_ACCESS_KEY: at.secretAccessKey };
  return {
    ...at,
    key,
    async doctor(args: string[] = [], env: Record<string, string> = key, more = "") {
      const cwd = await temporaryFolder();
      const output = `output: { store: "s3://${at.bucket}/news", s3: { endpoint: "${at.endpoint}", region: ${at.region}${more} } }\n`;
      await writeFile(join(cwd, "sync.config.yaml"), `${sourceYaml('"demo:"')}${output}`);
      for (const [name, value] of Object.entries({ HOME: cwd, ...env })) vi.stubEnv(name, value);
      const run = await runCommand(["doctor", "--json", ...args], { cwd, env: { HOME: cwd, ...env } });
      vi.unstubAllEnvs();
      if (run.stdout === "") throw new Error(run.stderr);
      const { findings } = JSON.parse(run.stdout);
      const codes: string[] = findings.map(({ code }: { code: string }) => code);
      return { ...run, codes: codes.filter((code) => code.startsWith("STORE_")) };
    },
  };
}

test("only reads the bucket without --store", async () => {
  const { doctor, server } = await openDoctor();
  expect(await doctor()).toMatchObject({ code: 0, codes: ["STORE_EMPTY"] });
  const operations = new Set(server.requests.map(({ operation }) => operation));
  expect([...operations].sort()).toEqual(["GetObject", "ListObjectsV2"]);
});

test("--store reports each step of the trial and leaves only its result", async () => {
  const { doctor, server, bucket } = await openDoctor();
  const { code, codes } = await doctor(["--store"]);
  expect(code).toBe(0);
  expect(codes).toEqual(["STORE_EMPTY", ...Array.from({ length: 9 }, () => "STORE_TRIED")]);
  expect(server.bucket(bucket).keys()).toEqual([`news/${trialResultFile}`]);
});

test("the first sync after --store does not try the storage again", async () => {
  const { doctor, bucket: name, endpoint, region, key, server } = await openDoctor();
  await doctor(["--store"]);
  const setting = {
    bucket: name,
    prefix: "news",
    endpoint,
    region,
    singleWriter: false,
    leaseMs: 60_000,
    cacheBytes: 1e9,
  };
  const bucket = openBucket(setting, { env: key });
  const before = server.requests.length;
  const remembered = { files: createMemoryStore(), name: trialNoteFile };
  await assureBucket(bucket, {
    singleWriter: false,
    remembered,
    trial: { folder: trialFolder },
    noteFile: trialResultFile,
  });
  expect(server.requests.slice(before).map(({ operation }) => operation)).toEqual(["GetObject"]);
});

test("--store removes the result of an earlier trial if the storage is now unsafe", async () => {
  const { doctor, server, bucket } = await openDoctor();
  await doctor(["--store"]);
  server.fail({ kind: "ignore-conditions" });
  expect((await doctor(["--store"])).code).toBe(6);
  expect(server.bucket(bucket).keys()).toEqual([]);
});

test("rejects storage that ignores conditions, unless there is a single writer", async () => {
  const { doctor, server, key } = await openDoctor();
  server.fail({ kind: "ignore-conditions" });
  const { code, codes } = await doctor(["--store"]);
  expect(code).toBe(6);
  expect(codes).toContain("STORE_UNSAFE");
  const alone = await doctor(["--store"], key, ", singleWriter: true");
  expect(alone.code).toBe(0);
  expect(alone.codes).toContain("STORE_UNSAFE_ALONE");
});

test("reports a missing or denied key without showing it", async () => {
  const { doctor, server, key } = await openDoctor();
  expect(await doctor([], {})).toMatchObject({ code: 4, codes: ["STORE_NO_KEY"] });
  server.policy = () => false;
  const denied = await doctor();
  expect(denied).toMatchObject({ code: 4, codes: ["STORE_REFUSED"] });
  for (const secret of Object.values(key)) expect(denied.stdout + denied.stderr).not.toContain(secret);
});

test("names the holder of the lease", async () => {
  const { doctor, server, bucket } = await openDoctor();
  const lease = (expiresMs: number, free = false) => {
    const since = "2026-11-22T19:00:00.000Z";
    const holder = {
      pid: 4711,
      host: "build-1",
      pidNamespace: null,
      processStart: null,
      nonce: "0123456789abcdef",
      since,
    };
    const document = { format: 1, term: 3, holder, free, leaseMs: 60_000, expiresMs, state: null };
    server.bucket(bucket).put("news/.lease.json", Buffer.from(JSON.stringify(document)), Date.now());
  };
  lease(Date.now() + 60_000);
  const held = await doctor();
  expect(held.codes).toEqual(["STORE_EMPTY", "STORE_LEASED"]);
  expect(held.stdout).toContain("process 4711 on build-1 since 2026-11-22T19:00:00.000Z");
  lease(Date.now() - 5000);
  expect((await doctor()).codes).toEqual(["STORE_EMPTY"]);
  lease(Date.now() + 60_000, true);
  expect((await doctor()).codes).toEqual(["STORE_EMPTY"]);
});

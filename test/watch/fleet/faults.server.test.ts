import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../support/run-command.js";
import { startRedis } from "./queue-servers.js";
import { type RunningWorker, startWorker } from "./running-worker.js";
import { type Arrival, generationOf, startFleet, until } from "./started-fleet.js";

const folder = process.env.OFFPRINT_FLEET_FOLDER ?? "";

/** What the upstream answers of a space in place of its content, and what must be said of it. */
const faults: Record<string, { status: number; nth: number; code?: string }> = {
  s0: { status: 500, nth: 1, code: "UPSTREAM_UNREACHABLE" },
  s1: { status: 401, nth: 1, code: "UPSTREAM_REFUSED" },
  s2: { status: 403, nth: 1, code: "UPSTREAM_REFUSED" },
  s3: { status: 404, nth: 1, code: "UPSTREAM_NOT_FOUND" },
  // It slows down, and succeeds.
  s4: { status: 429, nth: 4 },
};
const broken = Object.keys(faults).filter((name) => faults[name]?.code !== undefined);

/** Sixty spaces of which five have a fault, three workers that listen. */
async function brokenFleet() {
  const server = await startRedis(folder);
  onTestFinished(() => server.stop());
  const counts = new Map<string, { requests: number; limited: number }>();
  const refuse = ({ token }: Arrival) => {
    const name = token.replace("token-of-", "");
    const { requests, limited } = counts.get(name) ?? { requests: 0, limited: 0 };
    const fault = faults[name];
    const isHit = fault !== undefined && requests % fault.nth === fault.nth - 1;
    counts.set(name, { requests: requests + 1, limited: limited + (isHit && fault.status === 429 ? 1 : 0) });
    return isHit ? { status: fault.status, headers: {}, body: Buffer.from("{}") } : undefined;
  };
  const defaults = ["schedule: { every: 15s, maxAge: 10m }", "queue: { retries: 1 }"];
  const fleet = await startFleet(server, { spaces: 60, defaults, refuse });
  const workers = ["one", "three", "four"].map((cache) => startWorker(fleet.dir, cache, ["--listen", "127.0.0.1:0"]));
  const urls = await Promise.all(workers.map(addressOf));
  return { ...fleet, counts, urls };
}

async function addressOf(worker: RunningWorker): Promise<string> {
  const { url } = await worker.heard(({ kind }) => kind === "started");
  return String(url);
}

/** By alert of recipes/alerts.yml the spaces that it is for, as their metrics stand. */
async function alerting(urls: readonly string[], stale: readonly string[]) {
  const rules = await readFile(resolve("docs", "recipes", "alerts.yml"), "utf8");
  const [, codes = ""] = /offprint_problems\{code=~"([A-Z_|]+)"\}/.exec(rules) ?? [];
  const pages = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const rows = pages.flatMap((text) => [...text.matchAll(/^offprint_problems\{space="(\w+)",code="(\w+)"\} [1-9]/gm)]);
  const blocked = rows.filter(([, , code = ""]) => codes.split("|").includes(code)).map(([, space = ""]) => space);
  const requests = await sums(urls, "offprint_requests_total");
  const limited = await sums(urls, "offprint_requests_rate_limited_total");
  const slowed = [...limited].filter(([space, count]) => count > 0.05 * (requests.get(space) ?? 0));
  return {
    OffprintStale: stale,
    OffprintBlocked: [...new Set(blocked)].sort(),
    OffprintRateLimited: slowed.map(([space]) => space),
  };
}

/** The sum of a metric over the workers, by space. */
async function sums(urls: readonly string[], metric: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const url of urls) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, space = "", value] of text.matchAll(
      new RegExp(`^${metric}\\{space="(\\w+)"[^}]*\\} (\\d+)$`, "gm"),
    )) {
      found.set(space, (found.get(space) ?? 0) + Number(value));
    }
  }
  return found;
}

test("metrics, pages and status tell of sixty spaces what their upstream counts", { timeout: 300_000 }, async () => {
  const { dir, names, urls, counts } = await brokenFleet();
  const isBroken = (name: string) => broken.includes(name);
  await until(
    "each healthy space is committed, each broken one has failed three times",
    async () => {
      const generations = await Promise.all(names.map((name) => generationOf(dir, name)));
      const runs = await sums(urls, "offprint_runs_total");
      return names.every((name, at) => (isBroken(name) ? (runs.get(name) ?? 0) >= 3 : generations[at] === 1));
    },
    200_000,
  );

  // A run that is under way is counted when it ends: each space agrees in a moment in which it has none.
  const agreed = new Set<string>();
  await until("requests and answers 429 of each space agree with the upstream", async () => {
    const before = new Map([...counts].map(([name, count]) => [name, { ...count }]));
    const requests = await sums(urls, "offprint_requests_total");
    const limited = await sums(urls, "offprint_requests_rate_limited_total");
    for (const name of names) {
      const told = { requests: requests.get(name) ?? 0, limited: limited.get(name) ?? 0 };
      const counted = [before.get(name), counts.get(name)];
      if (counted.every((count) => count?.requests === told.requests && count.limited === told.limited))
        agreed.add(name);
    }
    return agreed.size === names.length;
  });
  expect(counts.get("s4")?.limited).toBeGreaterThan(0);

  // Workers hear of each other's runs some ten seconds late.
  for (const url of urls) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await until(`${url} knows which spaces are fresh`, async () => {
      const statuses = await Promise.all(names.map(async (name) => (await fetch(`${url}/fresh/${name}`)).status));
      return names.every((name, at) => statuses[at] === (isBroken(name) ? 503 : 200));
    });
    expect((await fetch(`${url}/fresh`)).status).toBe(503);
  }

  const fired = await alerting(urls, broken);
  for (const [alert, spaces] of Object.entries(fired)) {
    process.stdout.write(`  ${alert}: ${spaces.map((name) => `${name} (${faults[name]?.status})`).join(", ")}\n`);
  }
  expect(fired).toEqual({ OffprintStale: broken, OffprintBlocked: ["s1", "s2"], OffprintRateLimited: ["s4"] });

  const { stdout } = await runCommand(["status", "--all", "--failed"], { cwd: dir });
  const rows = new Map(stdout.split("\n").map((line) => [line.split(" ")[0]!, line]));
  expect([...rows.keys()].filter((name) => names.includes(name)).sort()).toEqual(broken);
  for (const name of broken) expect(rows.get(name)).toContain(faults[name]!.code);
});

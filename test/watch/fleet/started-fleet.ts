import { createHmac } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFailed, onTestFinished } from "vitest";
import { startEditableSpace } from "../../support/editable-space.js";
import { startFrontServer } from "../../support/front-server.js";
import type { ScriptedAnswer } from "../../support/scripted-server.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import type { QueueServer } from "./queue-servers.js";

/** A request that arrived at the upstream of a fleet. */
export interface Arrival {
  atMs: number;
  token: string;
  path: string;
}

export interface FleetOptions {
  spaces: number;
  stories?: number;
  /** Below `defaults:`, as YAML in one line each. */
  defaults: string[];
  worker?: string;
  tokenOf?: (name: string) => string;
  /** Waits before a request is answered. */
  before?: (arrival: Arrival) => Promise<void> | undefined;
  /** Answers in place of the space. */
  refuse?: (arrival: Arrival) => ScriptedAnswer | undefined;
}

/** A fleet of spaces behind one upstream, which counts. */
export async function startFleet(server: QueueServer, options: FleetOptions) {
  const {
    spaces: count,
    stories = 3,
    defaults,
    worker = "takeOver: 4s",
    tokenOf = (name) => `token-of-${name}`,
  } = options;
  const names = Array.from({ length: count }, (_, number) => `s${number}`);
  const space = await startEditableSpace(
    {
      cv: Math.floor(Date.now() / 1000) - 100,
      stories: Array.from({ length: stories }, (_, number) => ({ name: `story-${number}`, slug: `story-${number}` })),
    },
    [...new Set(names.map(tokenOf))],
  );
  onTestFinished(() => space.close());
  const arrivals: Arrival[] = [];
  const front = await startFrontServer(space.url, async ({ path, query }) => {
    const arrival = { atMs: Date.now(), token: query.get("token") ?? "", path };
    arrivals.push(arrival);
    await options.before?.(arrival);
    return options.refuse?.(arrival);
  });
  onTestFinished(() => front.close());
  const dir = await temporaryFolder();
  const lines = [
    "defaults:",
    `  source: { url: "${front.url}", settle: 0s }`,
    "  content: { formats: [] }",
    ...defaults.map((line) => `  ${line}`),
    `worker: { queue: "\${QUEUE_URL:-${server.url}}", ${worker} }`,
    "spaces:",
    ...names.map((name) => `  ${name}: { source: { token: "${tokenOf(name)}" } }`),
  ];
  await writeFile(join(dir, "sync.config.yaml"), `${lines.join("\n")}\n`);
  return { space, arrivals, names, dir };
}

/** Sends a signed event of a space to a worker. @returns the status of the answer */
export async function announce(url: unknown, name: string, secret: string, story = 1): Promise<number> {
  const body = JSON.stringify({ action: "published", space_id: 77, story_id: story });
  const headers = { "webhook-signature": createHmac("sha1", secret).update(body).digest("hex") };
  return (await fetch(`${url}/hooks/${name}`, { method: "POST", body, headers })).status;
}

export async function generationOf(dir: string, space: string): Promise<number> {
  const text = await readFile(join(dir, "output", space, "manifest.json"), "utf8").catch(() => "{}");
  return (JSON.parse(text) as { generation?: number }).generation ?? 0;
}

/** Resolves when something is so. We ask again after each message of a worker, and now and then. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, patienceMs = 90_000): Promise<void> {
  const endMs = Date.now() + patienceMs;
  let isWaiting = true;
  // The time of the test may end before this patience.
  onTestFailed(() => {
    if (isWaiting) process.stdout.write(`Waited for: ${what}\n`);
  });
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`waited in vain: ${what}`);
    await delay(100);
  }
  isWaiting = false;
}

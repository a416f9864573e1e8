import { onTestFinished } from "vitest";
import type { Config } from "../../src/config/config.js";
import { runCheck } from "../../src/content/check/run-check.js";
import { createExplorer } from "../../src/server/explorer/explorer.js";
import { prefix } from "../../src/server/explorer/parts/page.js";
import { startReplica } from "../../src/server/replica/http/server.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { scratchStore } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import { sampleConfig } from "./sample-config.js";
import { commitSample, type SampleContent } from "./sample-snapshot.js";

const token = "preview-token";

/** Commits these generations to memory, and serves the explorer on the last one until the test ends. */
export async function exploreSample(generations: readonly SampleContent[], config: Config = sampleConfig) {
  const store = createMemoryStore();
  let manifest: Manifest | undefined;
  for (const content of generations) ({ manifest } = await commitSample(content, store));
  const reader = await openReader(store, manifest!);
  const check = async (since?: "previous") => runCheck(scratchStore(store), { config, since });
  const replica = await startReplica({
    reader: () => reader,
    store,
    tokens: { public: [], preview: [token] },
    pages: { prefix, open: createExplorer({ spaces: [{ config, store, check }] }) },
  });
  onTestFinished(() => replica.close());
  const get = async (path: string) => {
    const headers = { authorization: token };
    const response = await fetch(`${replica.url}${prefix}/${path}`, { headers, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { get, json: async (path: string) => JSON.parse((await get(path)).text), url: replica.url, token };
}

import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createTransport } from "../../src/lib/http/transport.js";
import type { AssetRecord } from "../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import { type FetchAssetsOptions, fetchAssets } from "../../src/sync/assets/fetch-assets.js";

/** The first bytes of a picture. */
export const png = Buffer.from("\x89PNG\r\n\x1a\nsome pixels", "latin1");
/** Stands for a host of assets; {@link setUp} maps it to the server of the test. */
export const host = "assets.demo.example";
/** An asset there. */
export const url = (path: string) => `https://${host}/f/1/x/${path}`;

/** A server of assets, with what it was asked. */
export interface Origin {
  origin: string;
  requests: IncomingMessage[];
}

/** Ends with the test. */
export async function serve(listener: RequestListener): Promise<Origin> {
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** A story that names these URLs. */
export function story(...urls: string[]): { before: null; after: string } {
  const gallery = urls.map((filename) => ({ fieldtype: "asset", filename }));
  return { before: null, after: JSON.stringify({ content: { _uid: "1", component: "page", gallery } }) };
}

type Changed = Partial<Omit<FetchAssetsOptions, "config" | "source">> & {
  source?: object;
  assets?: object;
  queue?: object;
  realPauses?: boolean;
};

/** `fetchAssets` over real sockets, in pauses that take no time. */
export function setUp(origin: string, changed: Changed = {}) {
  const { assets, queue, realPauses, source, ...options } = changed;
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const store = options.store ?? createMemoryStore();
  const waits: number[] = [];
  const run = (more: Partial<FetchAssetsOptions>) =>
    fetchAssets({
      changes: [],
      previous: [],
      config: {
        assets: {
          download: true,
          hosts: ["source"],
          maxBytes: 1_000_000,
          onFailure: "keep",
          metadata: false,
          ...assets,
        },
        queue: { concurrency: 4, prefer: "requests", rateLimit: false, timeoutMs: 5000, retries: 2, ...queue },
      },
      source: { sourceOrigin: "https://api.example", sourceHosts: [], hostMap: { [host]: origin }, ...source },
      transport,
      store,
      ...(realPauses === true ? {} : { sleep: async (ms: number) => void waits.push(ms) }),
      random: () => 1,
      ...options,
      ...more,
    });
  return { run, store, waits };
}

/** New records of part `assets`, by URL. */
export function recordsOf(changes: ReadonlyMap<string, string | null>): AssetRecord[] {
  const records = [...changes.values()].flatMap((line) => (line === null ? [] : [JSON.parse(line) as AssetRecord]));
  return records.sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** The same as lines of a previous generation. */
export const linesOf = (changes: ReadonlyMap<string, string | null>) =>
  recordsOf(changes).map((r) => ({ line: JSON.stringify(r) }));

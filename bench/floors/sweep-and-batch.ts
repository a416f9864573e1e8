import { Agent, request } from "undici";

// What 10 changes take at least: every page of the links listing, then one batch of stories.
const [url = "", links = "0", ...uuids] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 8 });
const first = await request(`${url}/v2/cdn/stories?version=published&per_page=1`, { dispatcher });
await first.body.dump();
// Start-up is aside: time counts from the answer of the probe.
const startedMs = performance.now();
const cv = new URL(String(first.headers.location), url).searchParams.get("cv");
const read = async (path: string): Promise<unknown> => (await request(`${url}${path}`, { dispatcher })).body.json();
const pages = Math.ceil(Number(links) / 1_000);
let next = 1;
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (let page = next++; page <= pages; page = next++) {
      await read(`/v2/cdn/links?cv=${cv}&version=published&paginated=1&include_dates=1&per_page=1000&page=${page}`);
    }
  }),
);
await read(`/v2/cdn/stories?cv=${cv}&version=published&per_page=100&by_uuids=${uuids.join(",")}`);
process.stdout.write(JSON.stringify({ ms: performance.now() - startedMs }));
await dispatcher.destroy();

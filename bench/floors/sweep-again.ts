import { Agent, request } from "undici";

/*
 * What 10 changes take at least in a process that has done it before: whenever it is told to, every page of the links
 * listing, then one batch of stories. It keeps its connections and what V8 has compiled.
 */
const [url = "", links = "0", ...uuids] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 8 });
const pages = Math.ceil(Number(links) / 1_000);
const read = async (path: string): Promise<unknown> => (await request(`${url}${path}`, { dispatcher })).body.json();

process.on("message", async () => {
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const first = await request(`${url}/v2/cdn/stories?version=published&per_page=1`, { dispatcher });
  await first.body.dump();
  const cv = new URL(String(first.headers.location), url).searchParams.get("cv");
  let next = 1;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let page = next++; page <= pages; page = next++) {
        await read(`/v2/cdn/links?cv=${cv}&version=published&paginated=1&include_dates=1&per_page=1000&page=${page}`);
      }
    }),
  );
  await read(`/v2/cdn/stories?cv=${cv}&version=published&per_page=100&by_uuids=${uuids.join(",")}`);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ ms: performance.now() - startedMs, cpuMs: (user + system) / 1_000 });
});
process.on("disconnect", () => process.exit());
process.send?.({});

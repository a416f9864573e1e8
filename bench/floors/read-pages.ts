import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "undici";

// The bare loop that a first sync is held against: pages of 100 over 8 connections, parsed, one file a page.
const [url = "", dir = "", stories = "0"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 8 });

const first = await request(`${url}/v2/cdn/stories?version=published&per_page=1`, { dispatcher });
await first.body.dump();
const cv = new URL(String(first.headers.location), url).searchParams.get("cv");
const pages = Math.ceil(Number(stories) / 100);
let next = 1;
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (let page = next++; page <= pages; page = next++) {
      const { body } = await request(`${url}/v2/cdn/stories?cv=${cv}&version=published&per_page=100&page=${page}`, {
        dispatcher,
      });
      const parsed = (await body.json()) as { stories: unknown[] };
      writeFileSync(join(dir, `page-${page}.json`), JSON.stringify(parsed.stories));
    }
  }),
);
await dispatcher.close();

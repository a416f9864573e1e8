import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "undici";

// What asking whether anything changed takes at least where the files of a tree are counted, too: one request and a listing. With
// `sizes`, a look at each file.
const [url = "", folder = "", sizes] = process.argv.slice(2);
const dispatcher = new Agent();
const { body, headers } = await request(`${url}/v2/cdn/stories?version=published&per_page=1`, { dispatcher });
await body.dump();
const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes =
  sizes === undefined
    ? 0
    : entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
process.stdout.write(`${headers.location} ${entries.length} ${bytes}`);
await dispatcher.destroy();

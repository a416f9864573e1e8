import { Agent, request } from "undici";

// What asking whether anything changed takes at least: one request.
const [url = ""] = process.argv.slice(2);
const dispatcher = new Agent();
const { body, headers } = await request(`${url}/v2/cdn/stories?version=published&per_page=1`, { dispatcher });
await body.dump();
process.stdout.write(String(headers.location));
await dispatcher.destroy();

import { Agent, request } from "undici";

// What asking many spaces whether anything changed takes at least: one request each, 16 at a time, over open connections.
const [url = "", count = "0"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 16 });
let left = Number(count);
const worker = async (): Promise<void> => {
  while (left > 0) {
    left -= 1;
    const { body } = await request(`${url}/v2/cdn/stories?version=published&per_page=1&token=${left}`, { dispatcher });
    await body.dump();
  }
};
await Promise.all(Array.from({ length: 16 }, worker));
await dispatcher.destroy();

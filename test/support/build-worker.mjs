import { parentPort, workerData } from "node:worker_threads";
import { openSnapshot } from "../../dist/src/index.js";

/** One of the workers of a site build, as a thread or as a process: reads every page, and reports the content of each. */
const dir = workerData?.dir ?? process.argv[2];
const tell = (page) => (parentPort === null ? process.send(page) : parentPort.postMessage(page));

const snapshot = await openSnapshot(dir, { cacheBytes: 4096 });
for (const { url } of await snapshot.references()) {
  const page = await snapshot.page(url);
  tell({ url, headline: page.content.headline, generation: snapshot.generation });
}
await snapshot.close();
if (parentPort === null) process.disconnect();

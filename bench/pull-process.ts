import { resolveConfig } from "../src/config/load/resolve-config.js";
import { configSchema } from "../src/config/schema/config-schema.js";
import { pullFolder } from "../src/sync/pull/pull-folder.js";
import { openSource } from "../src/sync/pull/pull-source.js";
// A command has it loaded by the time that it asks: what is measured is the work.
import "../src/snapshot/store/s3/open-bucket.js";
import "undici";
import { openOutput } from "../src/snapshot/open-output.js";

/** Pulls from a store: `pull-process <origin> <dir>` prints how long it took, its processor time and its requests. No content is rendered. */
const [origin = "", dir = ""] = process.argv.slice(2);
const read = configSchema.read({
  source: { url: "demo:", token: "demo" },
  content: { formats: [] },
  output: { dir },
});
if (!("value" in read)) throw new Error("the settings of the bench do not fit");
const config = resolveConfig(read.value, process.cwd());
const env = { AWS_ENDPOINT_URL_S3: origin, AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench" };
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const source = await openSource("s3://bench/site", { config, cwd: process.cwd(), env });
const { requests } = await pullFolder({ config, source, output: openOutput({ dir }) });
const { user, system } = process.cpuUsage(startedCpu);
process.stdout.write(
  `${JSON.stringify({ ms: performance.now() - startedMs, cpuMs: (user + system) / 1000, requests })}\n`,
);

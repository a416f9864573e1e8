import { onTestFinished } from "vitest";
import { type S3Server, type S3ServerOptions, startS3Server } from "./s3-server/start-s3-server.js";
import { makeBucket, realEndpoint, removeBucket, type TestBucket, testBucket } from "./test-bucket.js";

export type { TestBucket } from "./test-bucket.js";
export { realEndpoint } from "./test-bucket.js";

/**
 * A bucket for one test, on the endpoint of the environment or on a server that is started for it:
 * the same test runs on both. Its requests use paths.
 */
export async function openTestBucket(): Promise<TestBucket> {
  if (realEndpoint === undefined) return openServedBucket();
  const bucket = await makeBucket(realEndpoint);
  onTestFinished(() => removeBucket(bucket));
  return bucket;
}

/**
 * A bucket on its own server, for features that only that has: faults, a count of the requests, a
 * wrong clock.
 */
export async function openServedBucket(options: S3ServerOptions = {}): Promise<TestBucket & { server: S3Server }> {
  const server = await startS3Server(options);
  onTestFinished(() => server.close());
  server.bucket("test-bucket");
  const endpoint = { endpoint: server.url, region: server.region, ...server.credentials };
  return { ...testBucket(endpoint, "test-bucket"), server };
}

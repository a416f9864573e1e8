import { createTransport, type Transport } from "../../src/lib/http/transport.js";
import { type S3Server, startS3Server } from "../support/s3-server/start-s3-server.js";
import { makeBucket, realEndpoint, removeBucket, type TestBucket, testBucket } from "../support/test-bucket.js";

/** Storage in which each history has its own bucket or prefix. */
export interface BucketServer {
  /** True if its clock shows the time of the history; else this machine's. */
  readonly hasModelTime: boolean;
  readonly transport: Transport;
  /** How often each event has happened to processes. */
  readonly met: Map<string, number>;
  /** An empty place. @param now the time of the history, in milliseconds since the epoch */
  place(now: () => number): { bucket: TestBucket; prefix: string };
  close(): Promise<void>;
}

/** The endpoint of the environment, or a server of our own. */
export async function openBucketServer(): Promise<BucketServer> {
  const transport = createTransport({ connections: 32, env: {} });
  const met = new Map<string, number>();
  let places = 0;
  if (realEndpoint !== undefined) {
    const bucket = await makeBucket(realEndpoint);
    return {
      hasModelTime: false,
      transport,
      met,
      place: () => ({ bucket, prefix: `history-${++places}` }),
      async close() {
        await transport.close();
        await removeBucket(bucket);
      },
    };
  }
  let now = Date.now;
  const server: S3Server = await startS3Server({ now: () => now() });
  const endpoint = { endpoint: server.url, region: server.region, ...server.credentials };
  return {
    hasModelTime: true,
    transport,
    met,
    place(modelNow) {
      now = modelNow;
      const name = `history-${++places}`;
      server.requests.length = 0;
      server.bucket(name);
      return { bucket: testBucket(endpoint, name), prefix: "site" };
    },
    async close() {
      await transport.close();
      await server.close();
    },
  };
}

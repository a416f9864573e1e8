import type { Manifest } from "../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import { type S3Server, startS3Server } from "./s3-server/start-s3-server.js";
import { commitSample, type SampleContent } from "./sample-snapshot.js";

/** A snapshot in a bucket of its server, `s3://snapshots/site`. */
export interface StoredSnapshot {
  server: S3Server;
  /** `s3://snapshots/site` */
  address: string;
  /** The environment of a process that reads it. */
  env: Record<string, string>;
  /** Commits content as the next generation, like a writing process. */
  commit(content: SampleContent): Promise<Manifest>;
  /** `GET manifest.json 304` of every request since the last call. */
  requests(): string[];
}

export async function storedSnapshot(): Promise<StoredSnapshot> {
  const server = await startS3Server();
  const bucket = server.bucket("snapshots");
  const store = createMemoryStore();
  const { accessKeyId, secretAccessKey } = server.credentials;
  return {
    server,
    address: "s3://snapshots/site",
    env: {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_REGION: server.region,
      AWS_ENDPOINT_URL_S3: server.url,
    },
    async commit(content) {
      const { manifest } = await commitSample(content, store);
      for (const name of await store.names(""))
        bucket.put(`site/${name}`, Buffer.from((await store.get(name))!), Date.now());
      return manifest;
    },
    requests: () =>
      server.requests.splice(0).map(({ method, key, status }) => {
        const name = key.replace(/^site\//, "").replace(/^snapshot\/.*\.[0-9a-f]{32}\.json$/, "shard");
        return `${method} ${name} ${status}`;
      }),
  };
}

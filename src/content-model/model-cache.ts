import { isOffprintError } from "../errors.js";
import { contentHash } from "../snapshot/content-hash.js";
import { contentModelsFile } from "../snapshot/layout.js";
import type { Store } from "../store/store.js";
import type { ContentModel } from "./content-model.js";

/** Another one where models are inferred in another way: what an earlier program noted is not read. */
const cacheFormat = 1;

/** Models of shards by the shard's hash, as an earlier run noted them. */
export interface ModelCache {
  model(hash: string): ContentModel | undefined;
  /**
   * Notes the models of these shards, and forgets all others. Where nothing differs, nothing is written; where the file
   * cannot be written, that is left.
   *
   * @param models undefined: as it was noted before
   */
  save(models: ReadonlyMap<string, ContentModel | undefined>): Promise<void>;
}

/**
 * Opens the cache of an output folder. One that is missing, damaged or made with other options holds nothing.
 *
 * @param basis what the models depend on beside the shards
 */
export async function openModelCache(store: Store, basis: string): Promise<ModelCache> {
  const lines = await readLines(store, basis);
  return {
    model(hash) {
      const line = lines.get(hash);
      return line === undefined ? undefined : (JSON.parse(line.toString()) as ContentModel);
    },
    async save(models) {
      const isKnown = [...models].every(([hash, model]) => model === undefined && lines.has(hash));
      if (isKnown && models.size === lines.size) return;
      const body = [...models].flatMap(([hash, model]) => {
        const line = model === undefined ? lines.get(hash) : Buffer.from(JSON.stringify(model));
        return line === undefined ? [] : [Buffer.from(`${hash} `), line, Buffer.from("\n")];
      });
      const bytes = Buffer.concat(body);
      const head = JSON.stringify({ format: cacheFormat, basis, checksum: contentHash(bytes) });
      try {
        await store.replace(contentModelsFile, Buffer.concat([Buffer.from(`${head}\n`), bytes]));
        // The folder of what is being written is there no longer than that.
        await store.flush();
      } catch (error) {
        if (!isOffprintError(error)) throw error;
      }
    },
  };
}

/** The noted models as JSON, by the hash of the shard. */
async function readLines(store: Store, basis: string): Promise<Map<string, Buffer>> {
  const lines = new Map<string, Buffer>();
  const file = await store.get(contentModelsFile).catch((error: unknown) => {
    if (isOffprintError(error)) return undefined;
    throw error;
  });
  if (file === undefined) return lines;
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = bytes.indexOf("\n") + 1;
  const body = bytes.subarray(start);
  const head = JSON.stringify({ format: cacheFormat, basis, checksum: contentHash(body) });
  if (bytes.toString("utf8", 0, Math.max(0, start - 1)) !== head) return lines;
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf("\n", at);
    const space = body.indexOf(" ", at);
    lines.set(body.toString("latin1", at, space), body.subarray(space + 1, end));
    at = end + 1;
  }
  return lines;
}

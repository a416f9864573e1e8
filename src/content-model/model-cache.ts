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
      const bytes = fileOf(basis, models, lines);
      try {
        await store.replace(contentModelsFile, bytes);
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
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumLength));
  const start = body.indexOf("\n") + 1;
  const isWhole = bytes.toString("latin1", body.length) === contentHash(body);
  if (!isWhole || body.toString("utf8", 0, start) !== headOf(basis)) return lines;
  for (let at = start; at < body.length; ) {
    const end = body.indexOf("\n", at);
    lines.set(body.toString("latin1", at, at + hashLength), body.subarray(at + hashLength + 1, end));
    at = end + 1;
  }
  return lines;
}

const hashLength = 64;
const checksumLength = 64;

/** The first line of the file, a line for each shard with its hash and its model, and the hash of all that. */
function fileOf(
  basis: string,
  models: ReadonlyMap<string, ContentModel | undefined>,
  lines: ReadonlyMap<string, Buffer>,
): Uint8Array {
  const pieces: Uint8Array[] = [Buffer.from(headOf(basis))];
  for (const [hash, model] of models) {
    const line = model === undefined ? lines.get(hash) : undefined;
    if (line !== undefined) pieces.push(Buffer.from(`${hash} `), line, Buffer.from("\n"));
    else if (model !== undefined) pieces.push(Buffer.from(`${hash} ${JSON.stringify(model)}\n`));
  }
  const bytes = Buffer.concat([...pieces, Buffer.alloc(checksumLength)]);
  const end = bytes.length - checksumLength;
  bytes.write(contentHash(bytes.subarray(0, end)), end, "latin1");
  return bytes;
}

function headOf(basis: string): string {
  return `${JSON.stringify({ format: cacheFormat, basis })}\n`;
}

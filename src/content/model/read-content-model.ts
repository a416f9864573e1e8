import { deserialize, serialize } from "node:v8";
import type { AssetMetadataRecord } from "../../contract/records.js";
import { contentHash } from "../../lib/content-hash.js";
import { type NoteCodec, openShardNotes, type ShardNotes } from "../../snapshot/disposable-notes.js";
import { contentModelsFile, parts, shardFile } from "../../snapshot/layout.js";
import type { Manifest, ShardEntry } from "../../snapshot/manifest.js";
import { inTurn } from "../../snapshot/read-part.js";
import { readShard } from "../../snapshot/shard-file.js";
import type { Store } from "../../snapshot/store/store.js";
import type { RelationFields } from "../resolve/relations.js";
import type { ContentModel } from "./content-model.js";
import type { OptionSource } from "./declare-types.js";
import { inferAssetMetadata, inferContent } from "./infer-content.js";
import { mergeModels } from "./merge-models.js";
import { datasourceValues, partRecords, shardRecords } from "./part-records.js";
import { resolveModel } from "./resolve-model.js";

/** A datasource with more values is not listed value by value. */
const mostOptions = 100;

/** Increased if models are inferred differently: older caches are ignored. */
const modelFormat = 2;

/** Notes of models keep their maps and sets. */
export const modelNotes: NoteCodec<ContentModel> = { encode: serialize, decode: deserialize };

export interface ReadModelOptions {
  relations: RelationFields;
  /** `assets.metadata`: asset fields are completed from the records of their assets. */
  assetMetadata: boolean;
}

export interface SnapshotModel {
  /** Of all editions together, with relations resolved. */
  model: ContentModel;
  datasources: readonly OptionSource[];
}

/** Of all editions. Reads one shard at a time, known ones not at all. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function readContentModel(
  store: Store,
  manifest: Pick<Manifest, "editions" | "parts">,
  { relations, assetMetadata }: ReadModelOptions,
): Promise<SnapshotModel> {
  const datasources = await readOptions(store, manifest);
  const values = new Set(datasources.flatMap((datasource) => datasource.values));
  // Another version of V8 may write maps and sets in another way.
  const basis = `${modelFormat} ${process.versions.v8} ${contentHash(JSON.stringify([...values].sort()))}`;
  const cache = await openShardNotes(store, { file: contentModelsFile }, basis, modelNotes);
  const models = new Map<string, ContentModel | undefined>();
  const editions: ContentModel[] = [];
  for (const { name } of manifest.editions) {
    const ofShards = await readShards(store, parts.stories(name), manifest, { cache, models, values });
    const merged = mergeModels(ofShards.map((model) => ({ ...model, stories: new Map() })));
    resolveModel(merged, { fields: relations, stories: ofShards.flatMap(({ stories }) => [...stories]) });
    editions.push(merged);
  }
  await cache.save(models);
  if (assetMetadata) {
    editions.push(inferAssetMetadata(await partRecords<AssetMetadataRecord>(store, manifest, parts.assetMetadata)));
  }
  return { model: mergeModels(editions), datasources };
}

interface ShardReading {
  cache: ShardNotes<ContentModel>;
  /** Takes the model of each shard, undefined if the cache has it. */
  models: Map<string, ContentModel | undefined>;
  values: ReadonlySet<string>;
}

async function readShards(
  store: Store,
  part: string,
  manifest: Pick<Manifest, "parts">,
  { cache, models, values }: ShardReading,
): Promise<ContentModel[]> {
  const shards = manifest.parts[part]?.shards ?? [];
  const found: ContentModel[] = [];
  const unknown: ShardEntry[] = [];
  for (const shard of shards) {
    const known = cache.get(shard.hash);
    if (known === undefined) unknown.push(shard);
    else {
      found.push(known);
      models.set(shard.hash, undefined);
    }
  }
  const reading = inTurn(unknown, 1, async (shard) => ({ shard, bytes: await readShard(store, part, shard) }));
  for await (const { shard, bytes } of reading) {
    const model = inferContent(shardRecords(bytes, shardFile(part, shard)), (text) => values.has(text));
    found.push(model);
    models.set(shard.hash, model);
  }
  return found;
}

async function readOptions(store: Store, manifest: Pick<Manifest, "parts">): Promise<OptionSource[]> {
  const few = (await datasourceValues(store, manifest)).filter(
    ({ values }) => values.size > 0 && values.size <= mostOptions,
  );
  return few.map(({ slug, values }) => ({ slug, values: [...values] })).sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

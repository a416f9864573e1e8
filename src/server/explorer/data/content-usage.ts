import { type ContentModel, emptyModel } from "../../../content/model/content-model.js";
import { inferContent } from "../../../content/model/infer-content.js";
import { mergeModels } from "../../../content/model/merge-models.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { Lru } from "../../../lib/collections/lru.js";
import { within } from "../../../lib/concurrency/within.js";
import { parts } from "../../../snapshot/layout.js";
import { recordText } from "../../../snapshot/reader/shard-bytes.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { Sliced } from "../../replica/query/slices.js";

/** Content types and blocks of an edition, and how often each field is filled, as read so far. */
export interface ContentUsage {
  blocks: ContentModel["blocks"];
  read: number;
  total: number;
}

const readings = new WeakMap<GenerationView, Lru<string, ReturnType<typeof start>>>();
const storiesAtOnce = 8;

/** Returns what it has read within `waitMs` milliseconds; a later call returns more. */
export async function contentUsage(view: GenerationView, edition: string, waitMs: number): Promise<ContentUsage> {
  const known = inMap(readings, view, () => new Lru(2));
  const reading = inMap(known, edition, () => start(view, edition));
  await within(waitMs, reading.done);
  return reading.usage;
}

function start(view: GenerationView, edition: string) {
  const shards = view.reader.shards(parts.stories(edition));
  const total = shards.reduce((sum, { starts }) => sum + starts.length, 0);
  const usage: ContentUsage = { blocks: new Map(), read: 0, total };
  return { usage, done: view.slices.run(read(shards, usage)).catch(() => undefined) };
}

function* read(shards: ReturnType<GenerationView["reader"]["shards"]>, usage: ContentUsage): Sliced<void> {
  let model = emptyModel();
  for (const shard of shards) {
    const models: ContentModel[] = [];
    for (let from = 0; from < shard.starts.length; from += storiesAtOnce) {
      const count = Math.min(storiesAtOnce, shard.starts.length - from);
      const records = Array.from({ length: count }, (_, place): unknown => JSON.parse(recordText(shard, from + place)));
      // The list of stories is unused here and would be most of the model.
      models.push({ ...inferContent(records, () => false), stories: new Map() });
      usage.read += count;
      yield;
    }
    model = mergeModels([model, ...models]);
    usage.blocks = model.blocks;
    yield;
  }
}

import { type BlockModel, type ContentModel, emptyModel } from "../../../content/model/content-model.js";
import { inferContent } from "../../../content/model/infer-content.js";
import { mergeModels } from "../../../content/model/model-draft.js";
import { Lru } from "../../../lib/collections/lru.js";
import { within } from "../../../lib/concurrency/within.js";
import { parts } from "../../../snapshot/layout.js";
import { recordText } from "../../../snapshot/reader/shard-bytes.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { Sliced } from "../../replica/query/slices.js";

/** Which content types and blocks an edition has, and how often each field is filled; as far as it was read. */
export interface ContentUsage {
  blocks: readonly BlockModel[];
  /** Stories that were read, and all. */
  read: number;
  total: number;
}

interface Reading {
  usage: ContentUsage;
  done: Promise<void>;
}

const readings = new WeakMap<GenerationView, Lru<string, Reading>>();
/** Stories that are read between two turns. */
const storiesAtOnce = 8;

/**
 * Reads an edition in slices. Returns what was read when all was, or when the time is over; the next call has more.
 * @param waitMs how long to wait, in milliseconds
 */
export async function contentUsage(view: GenerationView, edition: string, waitMs: number): Promise<ContentUsage> {
  const known = readings.get(view) ?? new Lru<string, Reading>(2);
  readings.set(view, known);
  const reading = known.get(edition) ?? start(view, edition);
  known.set(edition, reading);
  await within(waitMs, reading.done);
  return reading.usage;
}

function start(view: GenerationView, edition: string): Reading {
  const shards = view.reader.shards(parts.stories(edition));
  const total = shards.reduce((sum, { starts }) => sum + starts.length, 0);
  const usage: ContentUsage = { blocks: [], read: 0, total };
  return { usage, done: view.slices.run(read(shards, usage)).catch(() => undefined) };
}

function* read(shards: ReturnType<GenerationView["reader"]["shards"]>, usage: ContentUsage): Sliced<void> {
  let model: ContentModel = emptyModel;
  for (const shard of shards) {
    const models: ContentModel[] = [];
    for (let from = 0; from < shard.starts.length; from += storiesAtOnce) {
      const count = Math.min(storiesAtOnce, shard.starts.length - from);
      const records = Array.from({ length: count }, (_, place): unknown => JSON.parse(recordText(shard, from + place)));
      models.push(withoutStories(inferContent(records, () => false)));
      usage.read += count;
      yield;
    }
    model = mergeModels([model, ...models]);
    usage.blocks = model.blocks;
    yield;
  }
}

/** Which stories there are is not told here, and would be most of the model. */
function withoutStories(model: ContentModel): ContentModel {
  return { ...model, stories: [] };
}

import { workerData } from "node:worker_threads";
import { bufferOver } from "../../lib/buffer-over.js";
import { contentHash } from "../../lib/content-hash.js";
import { notingReader } from "../../snapshot/reader/noting-reader.js";
import { openReader, openReaderOnDemand } from "../../snapshot/reader/open-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import { createMemoryStore } from "../../snapshot/store/memory-store.js";
import { targets } from "../render/targets.js";
import { assetLocations } from "./asset-location.js";
import type { ContentInputs } from "./content-inputs.js";
import { storiesFile } from "./plan-edition.js";
import type { AnsweredFile, RenderOrder, RenderTask, TaskAnswer } from "./render-tasks.js";
import { openRendering } from "./rendering.js";
import { type EditionInputs, editionInputs } from "./story-text.js";

const [, order] = workerData as [pool: unknown, order: RenderOrder];
/** Bytes of shards that a thread keeps in memory. */
const keptBytes = 32 * 1024 * 1024;
const { rendering, inputsOf } = await open(order);

/** Renders the files of a task: what a thread of `openRenderThreads` runs. */
export default function render({ edition, files }: RenderTask): TaskAnswer {
  const inputs = inputsOf(edition);
  const pieces: Uint8Array[] = [];
  const answers = files.map((file): AnsweredFile => {
    const { bytes, outline, keys, problems, lines } = rendering.render(storiesFile(inputs, file, ""));
    if (bytes !== undefined) pieces.push(bytes);
    if (outline !== undefined) pieces.push(outline);
    return {
      length: bytes?.length,
      outlineLength: outline?.length,
      hash: bytes === undefined ? "" : contentHash(bytes),
      // Those of a file of lines are those of its lines, and cross once.
      keys: lines ? [] : keys,
      problems: lines ? [] : problems,
      lines,
    };
  });
  return { bytes: Buffer.concat(pieces), files: JSON.stringify(answers) };
}

async function readerOf({ manifest, source, indexes }: RenderOrder): Promise<Reader> {
  const inBuffers = new Map([...indexes].map(([edition, bytes]) => [edition, bufferOver(bytes)]));
  const previous = { manifest, storyIndexes: () => inBuffers };
  if (typeof source === "string") {
    return openReaderOnDemand(openFileStore(source), manifest, { maxBytes: keptBytes, previous });
  }
  const shards = (part: string) =>
    (source.get(part) ?? []).map((shard) => ({ ...shard, bytes: bufferOver(shard.bytes) }));
  return openReader(createMemoryStore(), manifest, { ...previous, shards });
}

async function open(order: RenderOrder) {
  const { config, target, uses } = order;
  const reader = await readerOf(order);
  const noting = notingReader(reader, config.content.types, { uses });
  const rendering = openRendering(noting);
  const inputs: ContentInputs = {
    reader,
    read: noting.read,
    config,
    target: targets[target],
    assetUrl: assetLocations(noting.read, config),
    blocks: new Map(),
    blocksVersion: "",
    report: rendering.report,
  };
  const known = new Map<string, EditionInputs>();
  const inputsOf = (name: string): EditionInputs => {
    const found = known.get(name) ?? editionInputs(inputs, reader.edition(name)!);
    known.set(name, found);
    return found;
  };
  return { rendering, inputsOf };
}

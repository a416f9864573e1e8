import { endianness } from "node:os";
import type { Config } from "../../config/config.js";
import { bufferOver } from "../../lib/buffer-over.js";
import { inMap } from "../../lib/collections/in-map.js";
import { numberHash } from "../../lib/number-hash.js";
import { openShardNotes } from "../../snapshot/disposable-notes.js";
import { checkFactsFile, recentCheckFactsFile, shardFile } from "../../snapshot/layout.js";
import type { ShardEntry } from "../../snapshot/manifest.js";
import { readShard } from "../../snapshot/shard-file.js";
import type { Store } from "../../snapshot/store/store.js";
import { shardRecords } from "../model/part-records.js";
import { deriveFacts, deriveShapeFacts, type FactSettings } from "./derive-facts.js";
import type { FactLists, FactNames, FoundFacts, ShardFacts } from "./facts/shard-facts.js";

/** Increased if facts are found or stored differently: older caches are ignored. */
const factsFormat = 5;

export interface FactCache {
  of(part: string, shard: ShardEntry, settings: FactSettings): Promise<ShardFacts>;
  /** Shape faults in a shard without stories. */
  shapeOf(part: string, shard: ShardEntry): Promise<ShardFacts>;
  /** Stores the facts that were used and drops the others. */
  save(): Promise<void>;
}

/** @param links `resolve.links`: facts depend on it */
export async function openFactCache(store: Store, { links }: Config["resolve"]): Promise<FactCache> {
  const basis = JSON.stringify([factsFormat, endianness(), links]);
  const names = new Map<string, FactNames>();
  const files = { file: checkFactsFile, recentFile: recentCheckFactsFile };
  const notes = await openShardNotes<ShardFacts>(store, files, basis, {
    encode: ({ bytes }) => bytes,
    decode: (bytes) => readFacts(bytes, names),
  });
  const used = new Map<string, ShardFacts | undefined>();
  const knownFacts = (key: string): ShardFacts | undefined => {
    const known = notes.get(key) ?? used.get(key);
    if (known !== undefined && !used.has(key)) used.set(key, undefined);
    return known;
  };
  const keep = (key: string, found: FoundFacts): ShardFacts => {
    const facts = readFacts(packFacts(found), names);
    used.set(key, facts);
    return facts;
  };
  return {
    async shapeOf(part, shard) {
      const key = keyOf(shard, "shape");
      return knownFacts(key) ?? keep(key, deriveShapeFacts(await readShardRecords(store, part, shard), part));
    },
    async of(part, shard, settings) {
      const key = keyOf(shard, settings);
      return knownFacts(key) ?? keep(key, deriveFacts(await readShardRecords(store, part, shard), settings));
    },
    save: () => notes.save(used),
  };
}

/** The hash of a shard, whose end says how it was looked at: two editions may share a shard. */
function keyOf({ hash }: ShardEntry, settings: FactSettings | "shape"): string {
  const shape = settings === "shape" ? settings : [settings.language, settings.isTranslated];
  const way = numberHash(JSON.stringify(shape)).toString(16).padStart(14, "0");
  return `${hash.slice(0, hash.length - way.length)}${way}`;
}

/** All records of a shard. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function readShardRecords(store: Store, part: string, shard: ShardEntry): Promise<readonly unknown[]> {
  return shardRecords(await readShard(store, part, shard), shardFile(part, shard));
}

/* Facts of a shard as bytes: ten whole numbers, columns, texts, JSON. Numbers have the machine's byte order. */

const headLength = 10;
type Sizes = [number, number, number, number, number, number, number, number, number];

export function packFacts(found: FoundFacts): Uint8Array {
  const { uuids, slugs, uuidHashes, slugHashes, typeOf, references, texts, tags, types, fields, ...lists } = found;
  const names: FactNames = { types, fields };
  const [uuidText, slugText] = [uuids.join(""), slugs.join("")];
  const [uuidCode, slugCode] = [encodingOf(uuidText), encodingOf(slugText)];
  const pieces = [
    Float64Array.from(uuidHashes),
    Float64Array.from(slugHashes),
    Int32Array.from(typeOf),
    Int32Array.from(endsOf(uuids)),
    Int32Array.from(endsOf(slugs)),
    Uint32Array.from(references),
    Uint32Array.from(texts),
    Buffer.from(uuidText, uuidCode),
    Buffer.from(slugText, slugCode),
    ...[names, lists satisfies FactLists, tags].map((value) => Buffer.from(JSON.stringify(value))),
  ];
  const sizes = pieces.slice(5).map(({ byteLength }) => byteLength);
  const codes = [uuidCode, slugCode].map((code) => (code === "latin1" ? 1 : 2));
  const head = Uint32Array.of(uuids.length, ...sizes, ...codes);
  const bytes = [head, ...pieces].map((piece) => bufferOver(piece));
  return Buffer.concat(bytes);
}

/** Characters beyond Latin-1, and halves of pairs, are kept as they are. */
function encodingOf(text: string): "latin1" | "utf16le" {
  return /^[\u0000-\u00ff]*$/.test(text) ? "latin1" : "utf16le";
}

function endsOf(texts: readonly string[]): number[] {
  let end = 0;
  return texts.map((text) => {
    end += text.length;
    return end;
  });
}

/** Reads what {@link packFacts} made. @param known names by their text: the same names become the same value */
export function readFacts(packed: Uint8Array, known: Map<string, FactNames>): ShardFacts {
  // Columns begin where their numbers may.
  const aligned = packed.byteOffset % 8 === 0 ? packed : Uint8Array.from(packed);
  const { buffer } = aligned as { buffer: ArrayBuffer };
  const head: unknown = new Uint32Array(buffer, aligned.byteOffset, headLength);
  // The number of stories, the bytes of what follows their columns, and the bytes of a character in two of these.
  const [count, ...sizes] = head as [number, ...Sizes];
  const [references, texts, uuids, slugs, names, lists, tags, uuidWidth, slugWidth] = sizes;
  let at = aligned.byteOffset + headLength * 4;
  const next = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  const floats = () => new Float64Array(buffer, next(count * 8), count);
  const integers = () => new Int32Array(buffer, next(count * 4), count);
  const unsigned = (bytes: number) => new Uint32Array(buffer, next(bytes), bytes / 4);
  const text = (bytes: number) => Buffer.from(buffer, next(bytes), bytes);
  const [uuidHashes, slugHashes, typeOf, uuidEnds, slugEnds] = [floats(), floats(), integers(), integers(), integers()];
  const [referenceColumn, textColumn] = [unsigned(references), unsigned(texts)];
  const [uuidText, slugText] = [text(uuids), text(slugs)];
  const namesText = text(names).toString();
  const ownNames = inMap(known, namesText, () => JSON.parse(namesText) as FactNames);
  const ownLists = JSON.parse(text(lists).toString()) as FactLists;
  const tagsText = text(tags);
  return {
    ...ownLists,
    names: ownNames,
    count,
    uuid: textsIn(uuidText, uuidEnds, uuidWidth),
    slug: textsIn(slugText, slugEnds, slugWidth),
    uuidHashes,
    slugHashes,
    typeOf,
    references: referenceColumn,
    texts: textColumn,
    tags: () => JSON.parse(tagsText.toString()) as Record<string, number[]>,
    bytes: aligned,
  };
}

function textsIn(text: Buffer, ends: Int32Array, width: number): (at: number) => string {
  const encoding = width === 1 ? "latin1" : "utf16le";
  return (at) => text.toString(encoding, (at === 0 ? 0 : ends[at - 1]!) * width, ends[at]! * width);
}

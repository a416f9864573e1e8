import { bufferOver } from "../../lib/buffer-over.js";
import { inMap } from "../../lib/collections/in-map.js";
import type { FactLists, FactNames, FoundFacts, ShardFacts } from "./facts/shard-facts.js";

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

import { shortHash } from "./short-hash.js";

/** What the stories of one shard tell. A value that is JSON itself; positions of stories are those in the shard. */
export interface ShardFacts {
  uuids: string[];
  slugs: string[];
  /** Content types, and which of them each story has: -1 for a story without content. */
  types: string[];
  typeOf: number[];
  /** `component.field` of every field of a block. */
  fields: string[];
  /** Of each field: how often it is there, and how often it says something. */
  present: number[];
  filled: number[];
  /** Fields that are empty in few of their blocks: position of the field, story, path, place. */
  empties: [number, number, string, string][];
  /** Texts of fields that may be a choice, by position of the field: text, how often, and where it is first. */
  options: [number, [string, number, number, string, string][]][];
  /** Blocks by component. */
  blocks: Record<string, number>;
  /** Outgoing references, see {@link packedReference}. */
  references: string;
  /** Addresses of the site that texts and links without a story hold: story, path, place, address. */
  addresses: [number, string, string, string][];
  /** What local rules found: code, story, path, place, what is wrong, message. */
  findings: [string, number, string, string, string, string][];
  /** Texts that would read differently in another language, see {@link packedText}; empty in a space of one language. */
  texts: string;
  /** Keys of records that the interface does not describe: key, how often, first story. */
  unknownKeys: [string, number, number][];
  /** Positions of stories by tag. */
  tags: Record<string, number[]>;
}

export type ReferenceKind = "relation" | "link" | "asset";
const referenceKinds: readonly ReferenceKind[] = ["relation", "link", "asset"];

/** Positions of fields that fit into a packed reference. */
const mostFields = 16_384;

/** A reference as three numbers of 32 bits: story with field, and the target's hash with the kind. */
export function packedReference(story: number, field: number, kind: ReferenceKind, target: number): number[] {
  const high = Math.floor(target / 0x100000000) + referenceKinds.indexOf(kind) * 0x1000000;
  return [story * mostFields + Math.min(field, mostFields - 1), target % 0x100000000, high];
}

/** A text as three numbers: story, 32 bits of its hash, 24 bits of its field's with its letters in fours. */
export function packedText(story: number, text: string, field: string, letters: number): number[] {
  const weight = Math.min(255, Math.ceil(letters / 4));
  return [story, shortHash(text) % 0x100000000, (shortHash(field) % 0x1000000) * 256 + weight];
}

/** An asset is the same with and without a scheme. */
export function assetHash(url: string): number {
  return shortHash(url.replace(/^(?:https?:)?\/\//i, ""));
}

/** Numbers of 32 bits as a text. */
export function packed(numbers: readonly number[]): string {
  return Buffer.from(Uint32Array.from(numbers).buffer).toString("base64");
}

function unpacked(text: string): Uint32Array {
  const bytes = Buffer.from(text, "base64");
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Calls `visit` for each reference of a shard: `target` is the {@link shortHash} of a uuid, or the {@link assetHash}. */
export function eachReference(
  { references }: Pick<ShardFacts, "references">,
  visit: (story: number, field: number, kind: ReferenceKind, target: number) => void,
): void {
  const numbers = unpacked(references);
  for (let at = 0; at < numbers.length; at += 3) {
    const place = numbers[at]!;
    const high = numbers[at + 2]!;
    const story = Math.floor(place / mostFields);
    const target = (high % 0x1000000) * 0x100000000 + numbers[at + 1]!;
    visit(story, place % mostFields, referenceKinds[Math.floor(high / 0x1000000)]!, target);
  }
}

/** Calls `visit` for each text: 32 bits of its hash, 24 bits of its field's, and its letters, in fours. */
export function eachText(
  { texts }: Pick<ShardFacts, "texts">,
  visit: (story: number, text: number, field: number, weight: number) => void,
): void {
  const numbers = unpacked(texts);
  for (let at = 0; at < numbers.length; at += 3) {
    visit(numbers[at]!, numbers[at + 1]!, Math.floor(numbers[at + 2]! / 256), numbers[at + 2]! % 256);
  }
}

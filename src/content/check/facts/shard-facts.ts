import { numberHash } from "../../../lib/number-hash.js";
/** The facts of one shard's stories, without the columns. Plain JSON; positions are those in the shard. */
export interface FactLists {
  present: number[];
  filled: number[];
  /** Fields that are empty in few of their blocks: position of the field, story, path, place. */
  empties: [number, number, string, string][];
  /** Texts of fields that may be a choice, by position of the field: text, how often, and where it is first. */
  options: [number, [string, number, number, string, string][]][];
  blocks: Record<string, number>;
  /** Addresses of the site that texts and links without a story hold: story, path, place, address. */
  addresses: [number, string, string, string][];
  /** Real paths of stories, by position of the story. */
  paths: Record<string, string>;
  /** Stories by the id of a term that they have. */
  terms: Record<string, number[]>;
  /** Findings of local rules: code, story, path, place, wrong, message. */
  findings: [string, number, string, string, string, string][];
  /** Shape faults: key, found, how often, first record, path there. */
  shapeFaults: [string, string | null, number, number, string][];
}

/** Names that most shards of an edition share: the same value where they do. */
export interface FactNames {
  types: readonly string[];
  /** `component.field` of every field of a block. */
  fields: readonly string[];
}

export interface FoundFacts extends FactLists, FactNames {
  uuids: string[];
  slugs: string[];
  /** `numberHash` of each uuid, and of each site path. */
  uuidHashes: number[];
  slugHashes: number[];
  /** Which of the types each story has: -1 for a story without content. */
  typeOf: number[];
  /** Outgoing references, see {@link packedReference}. */
  references: number[];
  /** Texts that would read differently in another language, see {@link packedText}; empty in a space of one language. */
  texts: number[];
  tags: Record<string, number[]>;
}

/** The stored form: per-story facts are columns, which need no parsing. */
export interface ShardFacts extends FactLists {
  names: FactNames;
  count: number;
  uuid(story: number): string;
  slug(story: number): string;
  uuidHashes: Float64Array;
  slugHashes: Float64Array;
  typeOf: Int32Array;
  references: Uint32Array;
  texts: Uint32Array;
  tags(): Readonly<Record<string, readonly number[]>>;
  bytes: Uint8Array;
}

/** How many stories there are for each name in a list of the facts. */
export function countsOf(
  shards: readonly { facts: ShardFacts }[],
  listOf: (facts: ShardFacts) => Readonly<Record<string, number | readonly number[]>>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { facts } of shards) {
    for (const [name, found] of Object.entries(listOf(facts))) {
      counts.set(name, (counts.get(name) ?? 0) + (typeof found === "number" ? found : found.length));
    }
  }
  return counts;
}

export type ReferenceKind = "relation" | "link" | "asset";
const referenceKinds: readonly ReferenceKind[] = ["relation", "link", "asset"];

/** Fields have positions of so many bits in a packed reference; all others share the last one. */
const fieldBits = 14;
const lastField = 2 ** fieldBits - 1;

/** A reference as three numbers of 32 bits: story with field, and the target's hash with the kind. */
export function packedReference(story: number, field: number, kind: ReferenceKind, target: number): number[] {
  const high = Math.floor(target / 0x100000000) + referenceKinds.indexOf(kind) * 0x1000000;
  return [story * (lastField + 1) + Math.min(field, lastField), target % 0x100000000, high];
}

/** A text as three numbers: story, 32 bits of its hash, 24 bits of its field's with its letters in fours. */
export function packedText(story: number, text: string, field: string, letters: number): number[] {
  const weight = Math.min(255, Math.ceil(letters / 4));
  return [story, numberHash(text) % 0x100000000, (numberHash(field) % 0x1000000) * 256 + weight];
}

/** An asset is the same with and without a scheme. */
export function assetHash(url: string): number {
  return numberHash(url.replace(/^(?:https?:)?\/\//i, ""));
}

/** `target`: {@link numberHash} of a uuid, or {@link assetHash}; `at`: position among the references of the shard. */
export function eachReference(
  { references }: Pick<ShardFacts, "references">,
  visit: (story: number, field: number, kind: ReferenceKind, target: number, at: number) => void,
): void {
  for (let index = 0, at = 0; index < references.length; index += 3, at += 1) {
    const place = references[index]!;
    const high = references[index + 2]!;
    const target = (high & 0xffffff) * 0x100000000 + references[index + 1]!;
    visit(place >>> fieldBits, place & lastField, referenceKinds[high >>> 24]!, target, at);
  }
}

export function eachText(
  { texts }: Pick<ShardFacts, "texts">,
  visit: (story: number, text: number, field: number, weight: number) => void,
): void {
  for (let at = 0; at < texts.length; at += 3) {
    visit(texts[at]!, texts[at + 1]!, texts[at + 2]! >>> 8, texts[at + 2]! & 255);
  }
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesBytes } from "../../src/json/lines.js";
import { contentHash } from "../../src/snapshot/content-hash.js";
import type { ShardEntry } from "../../src/snapshot/manifest.js";
import { provesRecords } from "../../src/snapshot/prove-records.js";
import { shardRecords } from "../../src/snapshot/shard-records.js";
import { comparePieces, placeOf } from "../../src/snapshot/shard-trie.js";
import { keyLine, uuidPool } from "../support/key-lines.js";

const part = "stories/published/default";

function entry(bytes: Uint8Array, records: number, prefix = ""): ShardEntry {
  return { prefix, hash: contentHash(bytes), records, bytes: bytes.length };
}

/** What reading every record as a value says of them; undefined: nothing is wrong. */
function problemOf(name: string, shard: ShardEntry, bytes: Buffer): string | undefined {
  try {
    shardRecords(name, shard, bytes);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function sortedLines(uuids: readonly string[]): string[] {
  const pieces = uuids.map((key) => ({ key, place: placeOf(key) })).sort(comparePieces);
  return pieces.map(({ key }) => keyLine(key, "text"));
}

/** A prefix that all of these uuids share, or nearly. */
const prefixes = fc.constantFrom("", "", "0", "1", "00000000", "0111");

describe("the records of a shard are proved", () => {
  test("where they are as they should be, and nowhere else", () => {
    fc.assert(
      fc.property(uuidPool, prefixes, (uuids, prefix) => {
        const bytes = Buffer.from(linesBytes(sortedLines(uuids)));
        const shard = entry(bytes, uuids.length, prefix);
        expect(provesRecords(part, shard, bytes)).toBe(problemOf(part, shard, bytes) === undefined);
      }),
    );
  });

  test("never where looking at the values finds a problem, whatever was done to the bytes", () => {
    const change = fc.tuple(fc.nat(), fc.constantFrom(0, 1), fc.constantFrom("", ...'{}[],:"\\u0a-\n \u0000é'));
    let provedChanged = 0;
    fc.assert(
      fc.property(
        uuidPool,
        fc.array(change, { maxLength: 3 }),
        fc.constantFrom(-1, 0, 0, 0, 1),
        (uuids, changes, more) => {
          let text = Buffer.from(linesBytes(sortedLines(uuids))).toString();
          for (const [place, taken, added] of changes) {
            const at = place % (text.length + 1);
            text = text.slice(0, at) + added + text.slice(at + taken);
          }
          const bytes = Buffer.from(text);
          const shard = entry(bytes, Math.max(1, uuids.length + more));
          if (!provesRecords(part, shard, bytes)) return;
          if (changes.length > 0) provedChanged += 1;
          expect(problemOf(part, shard, bytes)).toBeUndefined();
        },
      ),
      { numRuns: 3_000 },
    );
    expect(provedChanged).toBeGreaterThan(50);
  });

  test("where the part has no key, and keeps the order of the upstream", () => {
    const bytes = Buffer.from(linesBytes(['{"name":"b"}', '{"name":"a"}', '{"name":"a"}']));
    expect(provesRecords("tags/published", entry(bytes, 3), bytes)).toBe(true);
    expect(provesRecords("tags/published", entry(bytes, 2), bytes)).toBe(false);
    expect(provesRecords("tags/published", entry(bytes, 4), bytes)).toBe(false);
  });

  const [first = "", second = ""] = ["0", "4"].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);
  test.each<[string, string[], Partial<ShardEntry>]>([
    ["wrong order", [keyLine(second), keyLine(first)], {}],
    ["a key twice", [keyLine(first), keyLine(first)], {}],
    ["another shard, the first", [keyLine(first), keyLine(second)], { prefix: "01" }],
    ["another shard, the last", [keyLine(first), keyLine(second)], { prefix: "00" }],
    ["no key", ['{"name":"a"}'], {}],
    ["a key that is no text", ['{"uuid":7}'], {}],
    ["a key further in", [`{"content":{"uuid":"${first}"}}`], {}],
    ["another key, spelled with an escape", [`{"uuid":"${second}","\\u0075uid":7}`], {}],
    ["no object", [`["${first}"]`], {}],
    ["no JSON", [`{"uuid":"${first}",}`], {}],
    ["two values in a line", [`${keyLine(first)}${keyLine(second)}`], {}],
  ])("not with %s", (_what, lines, more) => {
    const bytes = Buffer.from(linesBytes(lines));
    const shard = { ...entry(bytes, lines.length), ...more };
    expect(problemOf(part, shard, bytes)).toBeDefined();
    expect(provesRecords(part, shard, bytes)).toBe(false);
  });
});

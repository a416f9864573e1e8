import fc from "fast-check";
import { expect, test } from "vitest";
import { splitRecords } from "../../../src/lib/json/record-texts.js";
import { skipRecords } from "../../../src/lib/json/skip-records.js";

const texts = ['{"id":1}', '{"id":2,"name":"é"}', "[3]"];
const name = fc.constantFrom("0", "de/a", 'quoted"', "back\\slash", "é", "");
const record = fc.constantFrom(...texts, '{"id":4}');

/** Walks over the answer with these known records. */
function walk(body: string, known: readonly string[]): { isWhole: boolean; met: string[] } {
  const bytes = Buffer.from(body);
  const met: string[] = [];
  const isWhole = skipRecords(bytes, "links", (at) => {
    const found = known.find((text) => bytes.subarray(at).indexOf(text) === 0);
    if (found === undefined) return -1;
    met.push(found);
    return at + Buffer.byteLength(found);
  });
  return { isWhole, met };
}

test("walks over a whole answer of known records, in an array or a map", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, record), { maxLength: 5 }), fc.boolean(), (members, isMap) => {
      const list = members.map(([key, text]) => (isMap ? `${JSON.stringify(key)}:${text}` : text)).join(",");
      const body = `{"links":${isMap ? `{${list}}` : `[${list}]`}}`;
      const { isWhole, met } = walk(body, texts);
      const isPlain = members.every(([key]) => !isMap || /^[ !#-[\]-~]*$/.test(key));
      const isKnown = members.every(([, text]) => texts.includes(text));
      expect(isWhole).toBe(members.length > 0 && isPlain && isKnown);
      if (isWhole) expect(met).toEqual(splitRecords(body, "links")?.texts);
    }),
  );
});

test.each([
  ["another member before", '{"cv":1,"links":[[3]]}'],
  ["another member behind", '{"links":[[3]],"cv":1}'],
  ["white space", '{"links": [[3]]}'],
  ["a line feed at the end", '{"links":[[3]]}\n'],
  ["a byte order mark", '\ufeff{"links":[[3]]}'],
  ["a comma before the end", '{"links":[[3],]}'],
  ["the end of a map", '{"links":[[3]}}'],
  ["a cut", '{"links":[[3]'],
  ["nothing", ""],
  ["a name without a colon", '{"links":{"a"[3]}}'],
])("an answer with %s is not skipped", (_, body) => {
  expect(walk(body, texts).isWhole).toBe(false);
});

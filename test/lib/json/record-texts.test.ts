import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/lib/json/canonical-json.js";
import { splitRecord, splitRecords } from "../../../src/lib/json/record-texts.js";

// Rows: [2.2 stories, cv, story] [4.10 body.links]

const records = fc.array(fc.json({ maxDepth: 3 }), { maxLength: 6 });
const spaces = fc.constantFrom("", " ", "\n\t", "\r\n  ");

test("returns the records of an array as canonical texts, and all other keys", () => {
  fc.assert(
    fc.property(records, spaces, fc.json(), (texts, space, other) => {
      const list = texts.join(`${space},${space}`);
      const body = `${space}{"other":${other},${space}"stories"${space}:${space}[${space}${list}${space}],"cv":17}${space}`;
      expect(splitRecords(body, "stories")).toEqual({
        texts: texts.map(canonicalJson),
        values: texts.map((text) => JSON.parse(text)),
        keys: [],
        rest: { other: JSON.parse(other), cv: 17 },
      });
    }),
  );
});

test("returns the records of a map with their names, in the answer's order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.json()), { maxLength: 6 }), spaces, (members, space) => {
      const map = members.map(([name, text]) => `${JSON.stringify(name)}${space}:${space}${text}`).join(`,${space}`);
      expect(splitRecords(`{"links":{${space}${map}${space}}}`, "links")).toEqual({
        texts: members.map(([, text]) => canonicalJson(text)),
        values: members.map(([, text]) => JSON.parse(text)),
        keys: members.map(([name]) => name),
        rest: {},
      });
    }),
  );
});

test("returns the known record for an unchanged one, and reads any other as usual", () => {
  const uuids = ["0", "1", "2"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  const link = fc
    .record({ uuid: fc.constantFrom(...uuids), name: fc.string({ maxLength: 3 }), more: fc.json({ maxDepth: 1 }) })
    .map(({ uuid, name, more }) => `{"id":1,"uuid":"${uuid}","name":${JSON.stringify(name)},"more":${more}}`);
  fc.assert(
    fc.property(fc.array(link, { maxLength: 8 }), fc.array(link, { maxLength: 8 }), (before, now) => {
      const known = new Map(before.map((text) => [JSON.parse(text).uuid, { text: canonicalJson(text), value: {} }]));
      const body = `{"links":{${now.map((text, at) => `"${at}":${text}`).join(",")}}}`;
      const plain = splitRecords(body, "links");
      const split = splitRecords(body, "links", { knownOf: (uuid) => known.get(uuid) });
      expect(split?.texts).toEqual(plain?.texts);
      for (const [at, text] of (split?.texts ?? []).entries()) {
        const uuid = JSON.parse(text).uuid;
        const isKnown = known.get(uuid)?.text === now[at];
        expect(split?.known?.[at]).toBe(isKnown ? known.get(uuid) : undefined);
        expect(split?.values[at]).toEqual(isKnown ? undefined : plain?.values[at]);
      }
    }),
  );
});

const large = { name: "content", kept: "component" };

/** A record as it may be read where its content is left unparsed. */
function withoutContent(record: unknown): unknown {
  const content: unknown = (record as { content?: unknown } | null)?.content;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return record;
  const { component } = content as { component?: unknown };
  return { ...(record as object), content: typeof component === "string" ? { component } : {} };
}

describe("a large member that is left unparsed", () => {
  const spellings = fc.constantFrom("", " ");
  const member = fc.oneof(
    fc.tuple(fc.string(), fc.json({ maxDepth: 2 })),
    fc.tuple(fc.constantFrom("content", "contents", "content_type", "component", "uuid"), fc.json({ maxDepth: 2 })),
    fc.tuple(
      fc.constant("content"),
      fc.constantFrom('{"component":"page","body":[{"component":"x"}]}', '{"a":"]}\\""}'),
    ),
    fc.tuple(
      fc.constant("content"),
      fc.constantFrom('{"component":1}', '{"n":1.50,"component":"x"}', '{"n":1e400}', "{ }"),
    ),
  );
  const record = fc
    .tuple(fc.array(member, { maxLength: 5 }), spellings)
    .map(
      ([members, space]) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${space}${text}`).join(",")}}`,
    );

  test("changes no text, and no other value", () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 4 }), (texts) => {
        const body = `{"stories":[${texts.join(",")}],"cv":1}`;
        const whole = splitRecords(body, "stories");
        const split = splitRecords(body, "stories", { large });
        expect({ ...split, values: [] }).toEqual({ ...whole, values: [] });
        for (const [at, value] of (split?.values ?? []).entries()) {
          expect([whole?.values[at], withoutContent(whole?.values[at])]).toContainEqual(value);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("stays unparsed, and its type is kept at any position", () => {
    const body =
      '{"stories":[{"id":1,"content":{"body":[{"component":"x"}],"component":"p\\"q"},"name":"n"},{"content":{}}]}';
    expect(splitRecords(body, "stories", { large })?.values).toEqual([
      { id: 1, content: { component: 'p"q' }, name: "n" },
      { content: {} },
    ]);
  });

  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"b"',
    '"component"',
    "1",
    "-1",
    "1.5",
    "01",
    "-",
    "1e",
    "true",
    "nul",
  ];
  const strange = [
    " ",
    '"',
    "\\",
    '"\u0001"',
    '"\\n"',
    '"\\x"',
    '"\\',
    "\t",
    "false",
    "null",
    "fals",
    "{}",
    "[]",
    '{"a":1}',
  ];

  test.each([
    ['{"component":"page","body":[{"content":{"component":"x"},"component":"y"}]}', "page"],
    ['{"component":"page","text":"\ud800"}', "page"],
    ['{"text":"\\u00e9\\/","component":"page"}', "page"],
    ['{"component":"page","component":"post"}', "post"],
    ['{"n":1.50,"component":"page"}', "page"],
    ['{"component":"page"},"content_type":{"component":"x"},"contents":{"component":"y"}', "page"],
  ])("stays in the text unchanged if it is %s", (content, component) => {
    const body = `{"stories":[{"uuid":"u","content":${content},"name":"n"}]}`;
    const split = splitRecords(body, "stories", { large });
    expect(split?.texts).toEqual(splitRecords(body, "stories")?.texts);
    expect(split?.values.map(withoutContent)).toMatchObject([{ uuid: "u", content: { component }, name: "n" }]);
  });

  test.each(["\u0000", "\u0001", "\n", "\u001e", "\u001f"])(
    "is refused if a text in it has the character %j",
    (character) => {
      const body = `{"stories":[{"uuid":"u","content":{"component":"page","text":"a${character}b"}}]}`;
      expect(() => splitRecords(body, "stories", { large })).toThrow(SyntaxError);
    },
  );

  test("is refused if one piece of it is invalid, and only then", () => {
    const value = fc.json({ maxDepth: 3 }).map((text) => text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^[\]{},:"]+/g) ?? []);
    const changed = fc.tuple(
      value,
      fc.nat(),
      fc.nat(1),
      fc.array(fc.constantFrom(...pieces, ...strange), { maxLength: 1 }),
    );
    const content = changed.map(([tokens, at, removed, added]) => {
      return tokens.toSpliced(at % (tokens.length + 1), removed, ...added).join("");
    });
    fc.assert(
      fc.property(content, (text) => expectJudgedAsParsed(`{"component":"a","b":${text},"c":[]}`)),
      { numRuns: 20_000 },
    );
  });

  test("is refused if it is not JSON", () => {
    const content = fc.array(fc.constantFrom(...pieces, ...strange), { maxLength: 9 }).map((some) => some.join(""));
    fc.assert(fc.property(content, expectJudgedAsParsed), { numRuns: 5_000 });
  });

  /** Expects a story with this content to be refused where `JSON.parse` refuses it, and to be the same elsewhere. */
  function expectJudgedAsParsed(content: string): void {
    const body = `{"stories":[{"uuid":"u","content":${content}}]}`;
    let expected: unknown;
    try {
      expected = JSON.parse(body).stories;
    } catch {
      expect(() => splitRecords(body, "stories", { large })).toThrow(SyntaxError);
      return;
    }
    const split = splitRecords(body, "stories", { large });
    expect(split?.values.map(withoutContent)).toEqual((expected as unknown[]).map(withoutContent));
    expect(split?.texts).toEqual(splitRecords(body, "stories")?.texts);
  }
});

test("keys keep their order inside a record, even if they look like indexes", () => {
  const record = '{"uuid":"x","10":{"b":1,"9":2},"a":12345678901234567890}';
  expect(splitRecords(`{"stories":[${record}]}`, "stories")?.texts).toEqual([record]);
});

test("ignores brackets, quotes and backslashes inside strings", () => {
  const record = JSON.stringify({ text: '"]},{[\\', "}": '\\"', last: "\\" });
  expect(splitRecords(`{"stories":[${record},${record}],"cv":1}`, "stories")?.texts).toEqual([record, record]);
});

test("the escaped name of a key is the same key", () => {
  expect(splitRecords('{"stor\\u0069es":[1]}', "stories")?.texts).toEqual(["1"]);
});

test("deeply nested records are no problem", () => {
  const record = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  expect(splitRecords(`{"stories":[${record}]}`, "stories")?.texts).toEqual([record]);
});

describe("bodies without such records", () => {
  test.each(['{"cv":1}', "[]", '"stories"', '{"stories":"none"}', '{"stories":null}', "{}"])(
    "%s gives undefined",
    (body) => {
      expect(splitRecords(body, "stories")).toBeUndefined();
    },
  );
});

describe("bodies that are not JSON", () => {
  test.each([
    "",
    "<html>",
    '{"stories":[{"a":1},]}',
    '{"stories":[{"a":1} {"a":2}]}',
    '{"stories":[{"a":1}',
    '{"stories":[{"a":1}],',
    '{"stories":[{"a":1}]}}',
    '{"stories":[{"a":nul}]}',
    '{"stories":[,]}',
    '{"stories":{"a":1,}}',
    '{"stories":{1:1}}',
    '{"stories":[1}',
    '{"x":tru,"stories":[]}',
    '{"stories" []}',
  ])("%j is a SyntaxError", (body) => {
    expect(() => JSON.parse(body)).toThrow(SyntaxError);
    expect(() => splitRecords(body, "stories")).toThrow(SyntaxError);
  });

  test("any damage to a body is detected, or leaves it valid JSON", () => {
    const body = JSON.stringify({ cv: 1, stories: [{ a: [1, "x\\"], b: { c: null } }, {}], rels: [] });
    const damage = fc.tuple(fc.nat(body.length), fc.nat(3), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(damage, ([at, length, insert]) => {
        const damaged = body.slice(0, at) + insert + body.slice(at + length);
        let expected: unknown;
        try {
          expected = JSON.parse(damaged);
        } catch {
          expect(() => splitRecords(damaged, "stories")).toThrow(SyntaxError);
          return;
        }
        const found = splitRecords(damaged, "stories");
        const stories: unknown = (expected as { stories?: unknown } | null)?.stories;
        if (Array.isArray(stories)) expect(found?.values).toEqual(stories);
      }),
      { numRuns: 1000 },
    );
  });

  test("a repeated list is refused, because it is ambiguous", () => {
    expect(() => splitRecords('{"stories":[],"stories":[1]}', "stories")).toThrow(SyntaxError);
  });
});

describe("a single record", () => {
  test("returns a story with its keys in order", () => {
    const body = '{ "story": {"b":1, "2":2}, "cv": 17, "rels": [] }';
    expect(splitRecord(body, "story")).toEqual({
      text: '{"b":1,"2":2}',
      value: { b: 1, 2: 2 },
      rest: { cv: 17, rels: [] },
    });
  });
  test.each(['{"cv":1}', '{"story":[]}', '{"story":null}', "[]"])("%s gives undefined", (body) => {
    expect(splitRecord(body, "story")).toBeUndefined();
  });
  test.each(['{"story":{}', '{"story":{},}', "<html>"])("%s is a SyntaxError", (body) => {
    expect(() => splitRecord(body, "story")).toThrow(SyntaxError);
  });
});

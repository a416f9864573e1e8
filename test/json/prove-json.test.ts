import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ProvenMember, proveJson } from "../../src/json/prove-json.js";
import { isObject } from "../../src/shape.js";
import { jsonTexts } from "../support/json-texts.js";

const noMember = -1;

/** Whether all of the text is proved, and the value of its member `uuid` as that tells it. */
function proved(text: string | Uint8Array): { isProved: boolean; uuid: unknown } {
  const bytes = Buffer.concat([Buffer.from(">"), Buffer.from(text), Buffer.from(",\n")]);
  const member: ProvenMember = { name: Buffer.from('"uuid"'), valueStart: noMember };
  const isProved = proveJson(bytes, 1, member) === bytes.length - 2;
  if (!isProved || member.valueStart === noMember) return { isProved, uuid: undefined };
  return { isProved, uuid: JSON.parse(bytes.toString("utf8", member.valueStart, proveJson(bytes, member.valueStart))) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe("a value is proved", () => {
  test("wherever JSON.stringify has written it, numbers as they were spelled", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(proved(JSON.stringify([JSON.parse(text)])).isProved).toBe(true);
      }),
    );
    fc.assert(
      fc.property(jsonTexts, ({ text }) => {
        const isDense = !/[ \n\t]/.test(text);
        const hasEscapedName = /\\/.test(text);
        if (isDense && !hasEscapedName) expect(proved(text).isProved).toBe(true);
      }),
    );
  });

  test("only where it is JSON, whatever character was changed, added or taken", () => {
    const change = fc.tuple(
      fc.nat(),
      fc.constantFrom(0, 1),
      fc.constantFrom("", ...'{}[],:"\\ue-+.0159tfn \u0000\u001f\n\u00a0é\ufeff'),
    );
    const record = fc
      .tuple(jsonTexts, jsonTexts)
      .map(([a, b]) => `{"a":${a.text},"uuid":${b.text},"b":[{"uuid":${a.text}}]}`);
    const counts = { proved: 0, named: 0 };
    fc.assert(
      fc.property(
        fc.oneof(
          jsonTexts.map(({ text }) => text),
          record,
        ),
        change,
        (text, [place, taken, added]) => {
          const at = place % (text.length + 1);
          const changed = text.slice(0, at) + added + text.slice(at + taken);
          const value = parsed(changed);
          const { isProved, uuid } = proved(changed);
          if (!isProved) return;
          counts.proved += 1;
          expect(value).toBeDefined();
          expect(uuid).toEqual(isObject(value) && Object.hasOwn(value, "uuid") ? value.uuid : undefined);
          if (uuid !== undefined) counts.named += 1;
        },
      ),
      { numRuns: 6_000 },
    );
    expect(counts.proved).toBeGreaterThan(200);
    expect(counts.named).toBeGreaterThan(50);
  });

  test.each([
    "01",
    "-",
    "-a",
    "1.",
    ".5",
    "1e",
    "1e+",
    "+1",
    "tru",
    "nul",
    "fals",
    "truee",
    "NaN",
    '"',
    '"a',
    '"\\x"',
    '"\\u00g0"',
    '"\\u12',
    '"a\nb"',
    '"\u0000"',
    "[",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    "{,}",
    '{"a" 1}',
    "{1:1}",
    '{"a":1]',
    '{"a",1}',
    "",
    "é",
    "\ufeff1",
    "'a'",
    "[1]]",
    "{}{}",
  ])("never of %j, which is no JSON", (text) => {
    expect(parsed(text)).toBeUndefined();
    expect(proved(text).isProved).toBe(false);
  });

  test("not where names of the outermost object are escaped, or it is nested too deeply: JSON.parse tells of those", () => {
    expect(proved('{"\\u0075uid":"a"}').isProved).toBe(false);
    expect(proved('{"a":{"\\u0075uid":"a"}}').isProved).toBe(true);
    expect(proved(`${"[".repeat(256)}${"]".repeat(256)}`).isProved).toBe(true);
    expect(proved(`${"[".repeat(257)}1${"]".repeat(257)}`).isProved).toBe(false);
  });

  test("with bytes in its strings that are no UTF-8, of which decoding makes a character", () => {
    const bytes = Buffer.from([0x22, 0xff, 0xc3, 0x22]);
    expect(JSON.parse(bytes.toString())).toHaveLength(2);
    expect(proved(bytes).isProved).toBe(true);
    expect(proved(Buffer.from([0xff])).isProved).toBe(false);
  });

  test("and the member that is noted is that of the outermost object, the last one of several", () => {
    expect(proved('{"a":{"uuid":"no"},"uuid":"yes","b":[{"uuid":"no"}]}').uuid).toBe("yes");
    expect(proved('{"uuid":"no","uuid":"yes"}').uuid).toBe("yes");
    expect(proved('{"uuids":"no"}').uuid).toBeUndefined();
    expect(proved('[{"uuid":"no"}]').uuid).toBeUndefined();
  });
});

import fc from "fast-check";

/** A JSON text as some server may spell it, and the number tokens in it in their order. */
export interface JsonText {
  text: string;
  numbers: string[];
}

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));
const whole = fc.oneof(
  fc.constant("0"),
  fc.tuple(fc.constantFrom(..."123456789"), fc.option(digits(40), { nil: "" })).map((parts) => parts.join("")),
);
const fraction = fc.option(
  digits(30).map((text) => `.${text}`),
  { nil: "" },
);
const exponent = fc.option(
  fc.tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), digits(3)).map((parts) => parts.join("")),
  { nil: "" },
);

/** Any number that JSON allows, as it may be spelled. */
export const numberTokens = fc.oneof(
  fc.constantFrom("12345678901234567890", "1.10", "1e400", "-1e400", "0.1000000000000000055", "-0", "-0.0", "1E2"),
  fc.tuple(fc.constantFrom("", "-"), whole, fraction, exponent).map((parts) => parts.join("")),
);

const spaces = fc.constantFrom("", "", "", " ", "\n\t");
/**
 * A text literal without digits except in escapes, so that a number in a test's record is always a
 * number token.
 */
const textLiterals = fc.oneof(
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\ud800"', '"\\u0041\\/"', '"1.10"', '"[1,2]"', '"\\"1.0"', '"ä"', '"\\\\"'),
);
const keyLiterals = fc.oneof(
  textLiterals,
  fc.constantFrom('"__proto__"', '"constructor"', '"toJSON"', '"10"', '"2"', '"\\u0061"', '""'),
);

const container = (open: string, close: string) => (parts: readonly JsonText[], space: string) => ({
  text: `${open}${space}${parts.map(({ text }) => text).join(`${space},${space}`)}${space}${close}`,
  numbers: parts.flatMap(({ numbers }) => numbers),
});

/** JSON values with number tokens of any spelling. No object repeats a key. */
export const jsonTexts: fc.Arbitrary<JsonText> = fc.letrec<{ value: JsonText }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { arbitrary: numberTokens.map((text) => ({ text, numbers: [text] })), weight: 3 },
    { arbitrary: textLiterals.map((text) => ({ text, numbers: [] })), weight: 1 },
    { arbitrary: fc.constantFrom("null", "true", "false").map((text) => ({ text, numbers: [] })), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.array(tie("value"), { maxLength: 4 }), spaces)
        .map(([items, space]) => container("[", "]")(items, space)),
      weight: 2,
    },
    {
      arbitrary: fc
        .tuple(
          fc.uniqueArray(fc.tuple(keyLiterals, tie("value")), {
            selector: ([key]) => JSON.parse(key) as string,
            maxLength: 4,
          }),
          spaces,
        )
        .map(([members, space]) =>
          container("{", "}")(
            members.map(([key, value]) => ({ ...value, text: `${key}${space}:${space}${value.text}` })),
            space,
          ),
        ),
      weight: 3,
    },
  ),
})).value;

/** The number tokens of a JSON text, in their order. */
export function numbersOf(json: string): string[] {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)]
    .map(([token]) => token)
    .filter((token) => !token.startsWith('"'));
}

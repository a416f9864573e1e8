import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactedOwner } from "../../../src/contract/redacted-records.js";
import { registerSecret } from "../../../src/lib/redact/redact.js";
import { redactRecord } from "../../../src/sync/upstream/redact-record.js";

/** A record as `spaces/me` documents it, which has nothing to hide. */
const plain = {
  id: 7,
  name: "Museum of Tokens & Keys",
  domain: "https://preview.example/",
  version: 1_700_000_000,
  language_codes: ["de", "pt-br"],
  settings: {
    tags: ["@import", "a@b", "npm i @scope/pkg"],
    limits: [1, 2.5, null],
    useToken: true,
    apiKey: "",
    otp: null,
  },
};

test("keeps a record without secrets unchanged", () => {
  expect(redactRecord(plain)).toEqual({ value: plain, redacted: [] });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // The names and texts of this generator are a few characters: none is a mail address or names a secret.
      fc.pre(!/@|token|secret|pass|pwd|key|otp|pin|auth|jwt|sig|cred|owner|phone|euid/i.test(JSON.stringify(value)));
      expect(redactRecord(value)).toEqual({ value, redacted: [] });
    }),
  );
});

const addresses = [
  "jo.smith+news@mail.example.com",
  "JO@EXAMPLE.COM",
  "o'brien@example.ie",
  "jörg@müller.example",
  '"jo smith"@example.com',
  "jo%40example.com",
  "jo&#64;example.com",
  "jo＠example.com",
  "jo@[192.168.0.1]",
];

describe("a mail address", () => {
  test.each(addresses)(
    "%s is redacted wherever it stands: in a field, a list, a longer text, a URL, a name",
    (mail) => {
      const record = {
        id: 7,
        name: `Space of ${mail}`,
        contact: mail,
        list: [["x", mail], { deep: { deeper: `<${mail}>, and ${mail}` } }],
        link: `mailto:${mail}?subject=x`,
        json: JSON.stringify({ to: mail }),
        [mail]: { [`${mail} `]: 1 },
      };
      const { value, redacted } = redactRecord<unknown>(record);
      const text = JSON.stringify(value);
      for (const part of [mail, "example", "192.168", "smith"]) expect(text).not.toContain(part);
      expect(redacted).toEqual([
        "name",
        "contact",
        "list[0][1]",
        "list[1].deep.deeper",
        "link",
        "json",
        "[redacted]",
        "[redacted].[redacted] ",
      ]);
      expect(JSON.stringify(redacted)).not.toContain("example");
      expect(redactRecord(value)).toMatchObject({ value });
    },
  );

  test("is redacted at any place of any value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), fc.string(), (other, before, after) => {
        const record = {
          a: [other, { [`${before} canary@example.com ${after}`]: [{ b: `${before} canary@example.com ${after}` }] }],
        };
        expect(JSON.stringify(redactRecord(record).value)).not.toContain("canary");
      }),
    );
  });
});

describe("the owner and the fields of a user", () => {
  test("are redacted at any depth", () => {
    const canary = "canary-0wner";
    const owner = Object.fromEntries(Object.keys(redactedOwner).map((name) => [name, canary]));
    const { value, redacted } = redactRecord<unknown>({
      id: 7,
      owner,
      more: [{ firstname: canary, last_name: "" }, { altEmail: canary }],
    });
    expect(JSON.stringify(value)).not.toContain(canary);
    expect(redacted).toEqual(["owner", "more[0].firstname", "more[1].altEmail"]);
  });
});

describe("a secret", () => {
  test.each([
    "token",
    "previewToken",
    "access_token",
    "first-token",
    "tokens",
    "secret",
    "clientSecret",
    "password",
    "passwd",
    "smtp_password",
    "api_key",
    "apiKey",
    "API-Key",
    "private key",
    "signature",
    "credentials",
    "Authorization",
    "otp",
    "auth",
    "jwt",
  ])("under the name %s is redacted in any shape", (name) => {
    const canary = `canary-${randomBytes(6).toString("hex")}`;
    for (const held of [canary, [canary], { preview: { value: canary } }, [{ x: canary }]]) {
      const { value, redacted } = redactRecord<unknown>({ id: 7, settings: [{ [name]: held, kept: "kept" }] });
      expect(value).toEqual({ id: 7, settings: [{ [name]: "[redacted]", kept: "kept" }] });
      expect(redacted).toEqual([`settings[0].${name}`]);
    }
    expect(redactRecord({ [name]: 4711 }).value).toEqual({ [name]: "[redacted]" });
  });

  test("in a list of settings, within a text, a URL or a web token is redacted", () => {
    const record = {
      options: [
        { name: "preview_token", value: "canary" },
        { key: "colour", value: "red" },
      ],
      note: "The password: canary; the colour is red.",
      json: '{"apiKey":"canary","colour":"red"}',
      webhook: "https://jo:canary@hooks.example/in?colour=red&api_key=canary&token=canary#top",
      header: "Authorization: Bearer canary",
      web: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl",
    };
    const { value, redacted } = redactRecord(record);
    expect(JSON.stringify(value)).not.toMatch(/canary|eyJ/);
    expect(JSON.stringify(value).match(/red(?!acted)/g)).toHaveLength(4);
    expect(redacted).toEqual(["options[0].value", "note", "json", "webhook", "header", "web"]);
  });

  test("that is configured is redacted in every form, under any name and in the name", () => {
    const token = `Key/${randomBytes(8).toString("hex")}`;
    registerSecret(token);
    const forms = [
      token,
      token.toLowerCase(),
      encodeURIComponent(token),
      Buffer.from(`Bearer ${token}`).toString("base64"),
    ];
    for (const form of forms) {
      const { value, redacted } = redactRecord<unknown>({ id: 7, name: "x", some: [`a ${form} b`], [form]: 1 });
      expect(JSON.stringify(value)).not.toContain(form);
      expect(redacted).toHaveLength(2);
    }
  });
});

test("keeps two names that are redacted to the same one", () => {
  expect(redactRecord<unknown>({ "a@b.example": 1, "c@d.example": 2, __proto__: 3 }).value).toEqual({
    "[redacted]": 1,
    "[redacted]-2": 2,
  });
  const own = JSON.parse('{"__proto__":{"mail":"a@b.example"}}');
  expect(JSON.stringify(redactRecord(own).value)).toBe('{"__proto__":{"mail":"[redacted]"}}');
});

test("drops values that are nested too deeply to check", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}"canary@example.com"${"}".repeat(5_000)}`);
  const { value, redacted } = redactRecord<unknown>(deep);
  expect(JSON.stringify(value)).not.toContain("canary");
  expect(redacted).toHaveLength(1);
});

test("checks a long text in linear time", () => {
  for (const piece of ["a", "a.", "a@", "@", "%40", "token=", '"', "eyJ", "é", " ", "a b@c"]) {
    const started = performance.now();
    redactRecord({ text: piece.repeat(200_000 / piece.length) });
    expect(performance.now() - started, piece).toBeLessThan(3_000);
  }
});

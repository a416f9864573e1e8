import { readFileSync } from "node:fs";
import { parseXml, type XmlElement } from "@rgrove/parse-xml";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import type { Finding } from "../../../src/content/check/finding.js";
import type { FindingsReport } from "../../../src/content/check/formats/findings-text.js";
import { formatFindings } from "../../../src/content/check/formats/format-findings.js";

const nasty = '"]]>\u0000\ud800 <b>&amp; %0A::error::x\r\n| `a` \u001b[31m';

function finding(number: number, more: Partial<Finding> = {}): Finding {
  const slug = `page-${number}`;
  return {
    code: "LINK_DEAD",
    level: "error",
    story: { uuid: `u-${number}`, slug, url: `/${slug}`, language: "default", edition: "published/default" },
    field: "body[0].link",
    message: `A link names story ${number}.`,
    hint: "Remove it.",
    id: `id-${number}`,
    ...more,
  };
}

function report(findings: Finding[]): FindingsReport {
  const counts = { generation: 4, since: null, stories: 9, editions: ["published/default"], ignored: 0, known: 0 };
  const failing = findings.filter(({ level }) => level === "error").length;
  return { ...counts, findings, failOn: "error", failing };
}

const hostile = finding(1, {
  message: nasty,
  field: nasty,
  story: { ...finding(1).story!, url: `/${nasty}`, slug: nasty },
});
const many = [
  hostile,
  ...Array.from({ length: 29 }, (_, n) => finding(n + 2)),
  finding(99, { level: "info", story: null, field: null }),
];
const printed = (format: Parameters<typeof formatFindings>[1], findings = many) =>
  formatFindings([report(findings)], format, { all: false });

const elementsIn = ({ children }: XmlElement) => children.filter((one): one is XmlElement => one.type === "element");

test("JUnit is XML with a case for each finding, for any texts", () => {
  const root = parseXml(printed("junit")).root!;
  const suites = elementsIn(root);
  const cases = suites.flatMap(elementsIn);
  expect(root.attributes).toMatchObject({ tests: String(cases.length), failures: "30" });
  expect(cases.filter(({ children }) => children.some((one) => (one as XmlElement).name === "failure"))).toHaveLength(
    30,
  );
  expect(suites.map(({ attributes }) => attributes.name)).toContain("SCRIPT_LINK");
});

test("JUnit has what consumers read: suites whose counts add up, and cases with a name, a class and a time", () => {
  const root = parseXml(printed("junit")).root!;
  expect(root.name).toBe("testsuites");
  const suites = elementsIn(root);
  for (const suite of suites) {
    const cases = elementsIn(suite);
    const failed = cases.filter((one) => elementsIn(one).some(({ name }) => name === "failure"));
    expect(suite.name).toBe("testsuite");
    expect(suite.attributes).toMatchObject({ tests: String(cases.length), failures: String(failed.length) });
    expect(suite.attributes).toMatchObject({ errors: "0", skipped: "0", time: "0" });
    for (const one of cases) {
      expect([one.name, Object.keys(one.attributes).sort()]).toEqual(["testcase", ["classname", "name", "time"]]);
      for (const inside of elementsIn(one)) {
        if (inside.name === "failure") expect(Object.keys(inside.attributes).sort()).toEqual(["message", "type"]);
        else expect(inside.name).toBe("system-out");
      }
    }
  }
  expect(new Set(suites.map(({ attributes }) => attributes.name)).size).toBe(suites.length);
  expect(root.attributes.tests).toBe(String(suites.reduce((sum, { attributes }) => sum + Number(attributes.tests), 0)));
});

/** An annotation as the runner of GitHub Actions takes it apart: the command, its properties, what it says. */
function annotation(line: string) {
  const decoded = (text: string) => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
  const [, command, properties = "", said = ""] = /^::(\w+) (.*?)::(.*)$/s.exec(line) ?? [];
  const named = properties.split(",").map((one): [string, string] => {
    const [key = "", value = ""] = one.split("=", 2);
    return [key, decoded(value.replaceAll("%3A", ":").replaceAll("%2C", ","))];
  });
  return { command, properties: Object.fromEntries(named), said: decoded(said) };
}

test("what GitHub decodes of an annotation is the finding, with every percent sign, line break, colon and comma", () => {
  const slug = "a:b,c%2C::d\r\n::error::e";
  const one = finding(1, {
    message: "50 % of %0A\r\n::warning title=x::y, z: w",
    field: "body[0].a,b:c",
    story: { ...finding(1).story!, url: `/${slug}`, slug },
  });
  const lines = printed("github", [one, finding(2, { level: "info" })]).split("\n");
  expect(annotation(lines[0]!)).toEqual({
    command: "error",
    properties: { title: `LINK_DEAD at /${slug}` },
    said: `${one.field}: ${one.message} ${one.hint}`,
  });
  expect(annotation(lines[1]!).command).toBe("notice");
  expect(lines).toHaveLength(3);
});

test("GitHub gets ten annotations and a line of counts, and no text begins a command", () => {
  const lines = printed("github").split("\n");
  expect(lines).toHaveLength(11);
  expect(lines.slice(0, 10).every((line) => line.startsWith("::error title="))).toBe(true);
  expect(lines[0]).not.toContain("\r");
  expect(lines[0]!.split("::")[1]).toContain("%25");
  expect(lines[10]).toBe("30 errors, 0 warnings, 1 info in 9 stories of generation 4. 21 of them are not shown here.");
});

test("Markdown is a table with a row for each finding", () => {
  const rows = printed("markdown")
    .split("\n")
    .filter((line) => line.startsWith("| "));
  expect(rows).toHaveLength(2 + 31);
  for (const row of rows) expect(row.replaceAll("\\|", "").split("|")).toHaveLength(7);
  expect(printed("markdown")).not.toContain("<b>");
});

test("SARIF has a result for each finding, with a fingerprint that lasts and an address without forbidden characters", () => {
  const log = JSON.parse(printed("sarif"));
  const [run] = log.runs;
  expect([log.version, run.results.length, run.tool.driver.rules.map(({ id }: { id: string }) => id)]).toEqual([
    "2.1.0",
    31,
    ["LINK_DEAD"],
  ]);
  expect(run.results[1]).toEqual({
    ruleId: "LINK_DEAD",
    ruleIndex: 0,
    level: "error",
    message: { text: "A link names story 2. Remove it." },
    partialFingerprints: { "offprint/v1": "id-2" },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: "page-2", uriBaseId: "SITE" } },
        logicalLocations: [
          {
            name: "body[0].link",
            fullyQualifiedName: "published/default/page-2#body[0].link",
            kind: "resource",
            properties: { language: "default" },
          },
        ],
      },
    ],
  });
  for (const { locations } of run.results) {
    const uri = locations?.[0].physicalLocation.artifactLocation.uri;
    if (uri !== undefined) expect(uri).toMatch(/^[!#$%&'()*+,/:;=?@[\]~\w.-]+$/);
  }
});

/** Made once: that takes longer than everything else here. */
let compiled: ReturnType<Ajv["compile"]> | undefined;

function sarifSchema() {
  compiled ??= compileSarifSchema();
  return compiled;
}

function compileSarifSchema() {
  const text = readFileSync(new URL("sarif-2.1.0.schema.json", import.meta.url), "utf8");
  const { $schema: _, id: __, ...schema } = JSON.parse(text);
  // One pattern of the schema is invalid with the flag u.
  const ajv = new Ajv({ strict: false, validateSchema: false, unicodeRegExp: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

test("SARIF is as its schema says, for any texts", () => {
  const unknownRule = finding(3, { code: "CONTENT_DRIFT", hint: "" });
  const elsewhere = finding(4, { story: { ...finding(4).story!, url: "https://example.com/a b/ü?x=1#%" } });
  const log = JSON.parse(printed("sarif", [...many, unknownRule, elsewhere]));
  const isSarif = sarifSchema();
  expect([isSarif(log), isSarif.errors]).toEqual([true, null]);
  expect(isSarif(JSON.parse(printed("sarif", [])))).toBe(true);
  expect(isSarif({ ...log, runs: [{ ...log.runs[0], results: [{ message: { text: "" }, level: "bad" }] }] })).toBe(
    false,
  );
});

test("every format names the space of a finding", () => {
  const spaces = [
    { ...report([finding(1)]), space: "shop" },
    { ...report([finding(2, { level: "warning" }), finding(3)]), space: "blog" },
  ];
  const of = (format: Parameters<typeof formatFindings>[1]) => formatFindings(spaces, format, { all: false });
  const log = JSON.parse(of("sarif"));
  expect(sarifSchema()(log)).toBe(true);
  expect(log.runs.map(({ automationDetails }: { automationDetails: { id: string } }) => automationDetails.id)).toEqual([
    "offprint/shop/",
    "offprint/blog/",
  ]);
  const root = parseXml(of("junit")).root!;
  const names = elementsIn(root).map(({ attributes }) => attributes.name);
  expect(new Set(names).size).toBe(names.length);
  expect([root.attributes.failures, names.includes("shop LINK_DEAD")]).toEqual(["2", true]);
  expect(
    of("github")
      .split("\n")
      .map((line) => line.slice(0, 24)),
  ).toEqual([
    "::error title=shop%3A LI",
    "::error title=blog%3A LI",
    "::warning title=blog%3A ",
    "shop: 1 error, 0 warning",
    "blog: 1 error, 1 warning",
  ]);
  expect(of("markdown").match(/^#+ .*/gm)).toEqual([
    "# Content check",
    "## shop",
    "### Errors (1)",
    "## blog",
    "### Errors (1)",
    "### Warnings (1)",
  ]);
});

test("the text is bounded, and moves no cursor", () => {
  const text = printed("text", [...many, ...Array.from({ length: 50 }, (_, n) => finding(n + 200))]);
  expect(text.split("\n").length).toBeLessThan(110);
  expect(text).not.toMatch(/[\u0000\u001b\r]/);
  expect(text).toContain("more stories; `offprint check --all` shows them.");
});

test("tells a sentence three times, and counts the stories that it is left out for", () => {
  const same = (number: number) => finding(number, { message: "A link names story 7.", field: "link" });
  const findings = [...Array.from({ length: 24 }, (_, n) => same(n + 1)), finding(50), finding(51)];
  const text = printed("text", findings);
  expect(text.split("A link names story 7.").length - 1).toBe(4);
  expect(text).toContain("\n… and 21 more: A link names story 7. [LINK_DEAD]\n`offprint check --all` shows them.\n");
  expect(text).toContain("26 errors");
  expect(text).not.toContain("/page-4 ");
  expect(formatFindings([report(findings)], "text", { all: true }).split("A link names story 7.").length - 1).toBe(24);
  const annotations = printed("github", findings).split("\n");
  expect(annotations.slice(0, 5).map((line) => line.replace(/.*story (\d+).*/, "$1"))).toEqual([
    "7",
    "7",
    "7",
    "50",
    "51",
  ]);
});

test("every format tells names and fields, and the text the editor's address of few findings", () => {
  const names = { message: 'The link "our shops" leads to "Shops" (shops).', field: "Body › Teaser 1 › Link" };
  const named = (number: number) =>
    finding(number, { names: { ...names, editor: `https://cms.example.com/${number}` } });
  for (const format of ["text", "markdown", "github", "sarif", "junit"] as const) {
    const text = printed(format, [named(1)])
      .replaceAll("\\", "")
      .replaceAll("&quot;", '"');
    expect([format, text.includes('The link "our shops" leads to "Shops" (shops).')]).toEqual([format, true]);
    expect([format, text.includes("Body › Teaser 1 › Link")]).toEqual([format, true]);
    expect([format, text.includes("https://cms.example.com/1")]).toEqual([format, ["text", "sarif"].includes(format)]);
  }
  const many = [1, 2, 3, 4].map(named);
  expect(printed("text", many)).not.toContain("cms.example.com");
  expect(formatFindings([report(many)], "text", { all: false, editor: true })).toContain("https://cms.example.com/3");
  const [json] = JSON.parse(printed("json", [named(1)])).findings;
  expect(json).toMatchObject({ field: "body[0].link", message: "A link names story 1.", names });
});

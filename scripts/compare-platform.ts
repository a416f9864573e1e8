import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Endpoint } from "../src/contract/endpoint.js";
import { endpoints } from "../src/contract/endpoints.js";
import { filterOperations } from "../src/contract/filter-query.js";
import { recordSchemas } from "../src/contract/record-schemas.js";
import { fieldTables } from "../src/contract/record-table.js";
import type { JsonSchema } from "../src/lib/shape.js";
import { storyActions } from "../src/watch/content-event.js";
import { printFile } from "./printed-file.js";

const factKinds = ["operation", "parameter", "operator", "key", "field", "event"] as const;

/** Names by what they belong to: `{ "/v2/cdn/tags": "token version" }`, separated by spaces. */
type Names = Readonly<Record<string, string>>;

/** `config/platform-facts.json`. */
export interface PlatformFacts {
  /** Each says with `date` in which month its facts were taken down: `2026-11`. */
  sources: readonly ({ name: string; date: string } & Partial<Record<(typeof factKinds)[number], Names>>)[];
  /** The differences that are known, in the words of `differences`, with the reason why they stay. */
  differs: readonly { what: readonly string[]; reason: string }[];
}

/** What is wrong: each difference between platform and contract without a reason, and each reason without a difference. */
export function unexplained(platform: PlatformFacts, contract: ReadonlySet<string> = contractFacts()): string[] {
  const found = differences(platform, contract);
  const explained = platform.differs.flatMap(({ what, reason }) => (reason === "" ? [] : what));
  return [
    ...found.filter((difference) => !explained.includes(difference)).map((difference) => `no reason: ${difference}`),
    ...explained.filter((what) => !found.includes(what)).map((what) => `reason without a difference: ${what}`),
  ];
}

/** For example `the contract lacks parameter /v2/cdn/tags all_tags`. */
function differences({ sources }: PlatformFacts, contract: ReadonlySet<string>): string[] {
  const platform = new Set(
    sources.flatMap((source) =>
      factKinds.flatMap((kind) =>
        Object.entries(source[kind] ?? {}).flatMap(([of, names]) => factsOf(kind, of, names.split(" "))),
      ),
    ),
  );
  return [
    ...[...platform].filter((fact) => !contract.has(fact)).map((fact) => `the contract lacks ${fact}`),
    ...[...contract].filter((fact) => !platform.has(fact)).map((fact) => `the contract adds ${fact}`),
  ];
}

/** What `src/contract` and the receiver of webhooks know, as one line for each fact: `field Story uuid`. */
export function contractFacts(): Set<string> {
  return new Set([
    ...Object.values(endpoints).flatMap(endpointFacts),
    ...factsOf("operator", "filter_query", filterOperations),
    ...recordFacts(),
    ...factsOf("event", "story", [...storyActions]),
  ]);
}

function endpointFacts({ path, auth, params, envelope }: Endpoint): string[] {
  const address = path.replace(/:\w+/g, "*");
  return [
    ...factsOf("operation", "GET", [address]),
    ...factsOf("parameter", address, [...(auth === "token" ? ["token"] : []), ...Object.keys(params)]),
    ...factsOf("key", address, Object.keys(envelope)),
  ];
}

/** The tables of one section describe one record and the objects inside it. Some records have a schema alone. */
function recordFacts(): string[] {
  const records = fieldTables.flatMap((table) => ("component" in table ? [table] : []));
  const described = fieldTables.flatMap(({ section, prefix, fields }) => {
    const whole = records.find((record) => record.section === section && record.prefix === "");
    return factsOf("field", whole?.component ?? section, prefixed(prefix, fields));
  });
  const alone = Object.entries(recordSchemas).filter(([name]) => !records.some(({ component }) => component === name));
  return [...described, ...alone.flatMap(([name, schema]) => factsOf("field", name, schemaKeys(schema)))];
}

function prefixed(prefix: string, fields: object): string[] {
  return Object.keys(fields).map((name) => `${prefix}${name}`);
}

function schemaKeys({ required, properties }: JsonSchema): string[] {
  return [...(Array.isArray(required) ? required.map(String) : []), ...Object.keys(properties ?? {})];
}

function factsOf(kind: (typeof factKinds)[number], of: string, names: readonly string[]): string[] {
  return names.map((name) => `${kind} ${of} ${name}`);
}

/** The page, with the month of the newest source. */
export function withDate(page: string, { sources }: PlatformFacts): string {
  const newest =
    sources
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? "";
  const month = new Date(newest).toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" });
  const sentence = /Compared with the documentation of \w+ \d{4}\./;
  if (!sentence.test(page))
    throw new Error("The page does not say with which documentation the contract was compared.");
  return page.replace(sentence, `Compared with the documentation of ${month}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const platform: PlatformFacts = JSON.parse(await readFile("config/platform-facts.json", "utf8"));
  const page = "docs/interface-reference.md";
  await printFile(page, withDate(await readFile(page, "utf8"), platform), process.argv.slice(2));
  const wrong = unexplained(platform);
  for (const line of wrong) console.error(`config/platform-facts.json: ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}

import { wellFormed } from "../../render/rich-text-node.js";
import { rules } from "../all-rules.js";
import type { RuleFacts } from "../facts/rule.js";
import { type Finding, toldField, toldFinding } from "../finding.js";
import { builtRules } from "../rules/built-rules.js";
import type { FindingsReport } from "./findings-text.js";

const levels = { error: "error", warning: "warning", info: "note" } as const;

/** SARIF 2.1.0. A story is no file: it becomes a logical location and a URL relative to `SITE`. Each space is a run. */
export function sarifText(reports: readonly FindingsReport[]): string {
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${JSON.stringify({ $schema, version: "2.1.0", runs: reports.map(runOf) }, undefined, 2)}\n`;
}

function runOf({ space, findings, generation }: FindingsReport): object {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  return {
    tool: { driver: { name: "offprint check", rules: codes.map(descriptorOf) } },
    ...(space === undefined ? {} : { automationDetails: { id: `offprint/${space}/` } }),
    properties: { generation, ...(space === undefined ? {} : { space }) },
    results: findings.map((finding) => resultOf(finding, codes)),
  };
}

const known = new Map<string, RuleFacts>([...rules, ...builtRules].map((rule) => [rule.code, rule]));

function descriptorOf(id: string): object {
  const rule = known.get(id);
  if (rule === undefined) return { id };
  return {
    id,
    shortDescription: { text: rule.about },
    help: { text: rule.hint },
    defaultConfiguration: { level: levels[rule.level] },
  };
}

function resultOf(finding: Finding, codes: readonly string[]): object {
  const { code, level, story, hint, id } = finding;
  const message = toldFinding(finding);
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[level],
    message: { text: hint === "" ? message : `${message} ${hint}` },
    partialFingerprints: { "offprint/v1": id },
    ...(story === null ? {} : { locations: [locationOf(story, finding)] }),
  };
}

function locationOf(story: NonNullable<Finding["story"]>, finding: Finding): object {
  const { url, slug, language, edition } = story;
  const { field, names } = finding;
  return {
    physicalLocation: {
      artifactLocation: isAbsolute(url)
        ? { uri: uriOf(url) }
        : { uri: relativeOf(uriOf(url.replace(/^\/+/, ""))), uriBaseId: "SITE" },
    },
    logicalLocations: [
      {
        name: field === null ? slug : toldField(finding),
        fullyQualifiedName: `${edition}/${slug}${field === null ? "" : `#${field}`}`,
        kind: "resource",
        properties: { language, ...(names?.editor === undefined ? {} : { editor: names.editor }) },
      },
    ],
  };
}

function isAbsolute(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url);
}

/** The URL with everything encoded that a URI (RFC 3986) cannot hold at its place. */
function uriOf(url: string): string {
  return wellFormed(url)
    .replace(/[^!#$%&'()*+,/:;=?@~\w.-]/gu, encodeURIComponent)
    .replace(/%(?![0-9a-f]{2})/gi, "%25")
    .replace(/#/g, (mark, at: number, whole: string) => (whole.indexOf(mark) === at ? mark : "%23"));
}

/** A relative reference: the root of the site is `.`, and no colon makes a scheme of the first segment. */
function relativeOf(uri: string): string {
  return /^[^/?#]*:/.test(uri) ? `./${uri}` : uri || ".";
}

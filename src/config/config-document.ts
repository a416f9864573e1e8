import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { substituteVariables } from "./substitute-variables.js";
import { withoutTokens } from "./token-like.js";
import { yamlHint } from "./yaml-hint.js";

export type KeyPath = readonly PropertyKey[];

export interface PlacedProblem {
  line: number;
  column: number;
  message: string;
  hint: string;
}

export interface ConfigDocument {
  /** Plain data with variables replaced, without empty keys. Undefined if the file is not valid YAML. */
  values: Record<string, unknown> | undefined;
  problems: PlacedProblem[];
  variables: string[];
  /** Line and column of the value at the path, or of its key. If it is absent, those of the nearest parent. */
  place(path: KeyPath, what: "value" | "key"): { line: number; column: number };
  /** True if the value, or a parent of it, is an alias or has an unset variable. */
  isBroken(path: KeyPath): boolean;
  /** The text at the path before replacing variables. Undefined if there is no text. */
  written(path: KeyPath): string | undefined;
  /** The keys of the mapping at the path, even without a value. Empty if it is not a mapping. */
  keys(path: KeyPath): string[];
}

/** Does not throw. @param mayBeUnset true: a missing variable below these keys is not reported, but breaks the value */
export function parseConfigDocument(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  mayBeUnset: (keys: readonly string[]) => boolean = () => false,
): ConfigDocument {
  const lines = new LineCounter();
  // We find duplicate keys ourselves: the parser compares each key of a mapping with all others.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    version: "1.2",
  });
  const broken = new Set<unknown>();
  const variables: string[] = [];
  const problems: PlacedProblem[] = [];
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const report = (offset: number, message: string, hint = "") => problems.push({ ...placeAt(offset), message, hint });
  const exhausted = document.errors.find(({ code }) => code === "RESOURCE_EXHAUSTION")?.pos[0];
  const tooDeep = exhausted ?? offsetBelow(document.contents, deepest);
  if (tooDeep !== undefined) report(tooDeep, `is nested more than ${deepest} levels deep`, "Close every bracket.");
  // If the parser gave up, it lists every open bracket as another mistake. Skip those.
  const faults = exhausted === undefined ? [...document.errors, ...document.warnings] : [];
  for (const error of faults.slice(0, mostFaults))
    report(error.pos[0], yamlMessage(error), yamlHint(error, text, document));
  const next = faults[mostFaults];
  if (next !== undefined) report(next.pos[0], `${faults.length - mostFaults} more mistakes of YAML follow`);
  if (document.errors.length > 0 || tooDeep !== undefined) {
    const place = () => ({ line: 1, column: 1 });
    const nothing = { isBroken: () => true, written: () => undefined, keys: () => [] };
    return { values: undefined, problems, variables, place, ...nothing };
  }
  for (const offset of repeatedKeys(document)) {
    report(offset, "the key is repeated", "Keep one of the two.");
  }
  const texts = new Map<unknown, string>();
  replaceVariables(document, text, env, { variables, texts }, ({ node, keys }, offset, message, hint) => {
    broken.add(node);
    if (!mayBeUnset(keys)) report(offset, message, hint);
  });
  const values = plainValue(document.contents) ?? {};
  if (typeof values !== "object" || Array.isArray(values)) {
    report(0, "expects keys such as source:, not a single value or a list");
  }
  return {
    values: { ...(values as object) },
    problems,
    variables,
    place: (path, what) => placeAt(offsetOf(document.contents, path, what)),
    isBroken: (path) => nodesAlong(document.contents, path).some((step) => broken.has(step.value)),
    written: (path) => {
      const steps = nodesAlong(document.contents, path);
      return steps.length === path.length + 1 ? texts.get(steps.at(-1)?.value) : undefined;
    },
    keys: (path) => {
      const node = nodesAlong(document.contents, path)[path.length]?.value;
      return isMap(node) ? node.items.map(({ key }) => keyText(key)) : [];
    },
  };
}

/** No valid key lies deeper. A thousand levels would overflow the stack. */
const deepest = 50;

function offsetBelow(root: unknown, levels: number): number | undefined {
  let nodes = [root];
  for (let level = 0; level < levels; level++) {
    nodes = nodes.flatMap((node) =>
      isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : [],
    );
    if (nodes.length === 0) return undefined;
  }
  return startOf(nodes.find((node) => isMap(node) || isSeq(node)));
}

/** At most this many mistakes are listed: a single extra bracket can cause thousands. */
const mostFaults = 100;

function repeatedKeys(document: Document.Parsed): number[] {
  const offsets: number[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const text = keyText(key);
        if (seen.has(text)) offsets.push(startOf(key) ?? 0);
        seen.add(text);
      }
    },
  });
  return offsets;
}

/** Notes the names of the variables, and each text before they are replaced. */
function replaceVariables(
  document: Document.Parsed,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  { variables, texts }: { variables: string[]; texts: Map<unknown, string> },
  report: (at: { node: Node; keys: string[] }, offset: number, message: string, hint: string) => void,
): void {
  const keysTo = (path: readonly unknown[]) => path.flatMap((parent) => (isPair(parent) ? [keyText(parent.key)] : []));
  visit(document, {
    Alias: (_, node, path) => {
      report(
        { node, keys: keysTo(path) },
        node.range?.[0] ?? 0,
        "expects a value, not an alias",
        "Write the value itself.",
      );
    },
    Scalar: (role, node, path) => {
      if (role === "key" || typeof node.value !== "string") return;
      texts.set(node, node.value);
      if (!node.value.includes("${")) return;
      const [start = 0, end = start] = node.range ?? [];
      const replaced = substituteVariables(node.value, env);
      variables.push(...replaced.used);
      const written = substituteVariables(text.slice(start, end), env).problems;
      for (const [index, problem] of replaced.problems.entries()) {
        report({ node, keys: keysTo(path) }, start + (written[index]?.offset ?? 0), problem.message, problem.hint);
      }
      node.value = replaced.text;
    },
  });
}

function plainValue(node: unknown): unknown {
  if (isScalar(node)) return scalarValue(node);
  if (isSeq(node)) return node.items.map((item) => plainValue(item) ?? null);
  if (!isMap(node)) return undefined;
  const entries = node.items
    .map((pair): [string, unknown] => [keyText(pair.key), plainValue(pair.value)])
    .filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries);
}

/** Keeps a whole number as text if a double cannot hold it: it may be an id, such as 98765432109876543210. */
function scalarValue(node: Scalar): unknown {
  const { value, source } = node;
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (source ?? value)
    : value;
}

interface Step {
  key: unknown;
  value: unknown;
}

const pairsByKey = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** The pairs of a mapping by key. The first of two equal keys wins. */
function pairsOf(node: YAMLMap): ReadonlyMap<string, Pair> {
  const known = pairsByKey.get(node);
  if (known !== undefined) return known;
  const pairs = new Map([...node.items].reverse().map((pair) => [keyText(pair.key), pair]));
  pairsByKey.set(node, pairs);
  return pairs;
}

function nodesAlong(root: ParsedNode | null, path: KeyPath): Step[] {
  const steps: Step[] = [{ key: undefined, value: root }];
  let node: unknown = root;
  for (const part of path) {
    if (isMap(node)) {
      const pair = pairsOf(node).get(String(part));
      if (pair === undefined) break;
      steps.push({ key: pair.key, value: pair.value });
      node = pair.value;
    } else if (isSeq(node) && typeof part === "number" && part < node.items.length) {
      node = node.items[part];
      steps.push({ key: undefined, value: node });
    } else {
      break;
    }
  }
  return steps;
}

function offsetOf(root: ParsedNode | null, path: KeyPath, what: "value" | "key"): number {
  const steps = nodesAlong(root, path);
  const last = steps.at(-1);
  const complete = steps.length === path.length + 1;
  const key = startOf(last?.key);
  const value = isScalar(last?.value) && last.value.value === null ? undefined : startOf(last?.value);
  return (complete && what === "value" ? (value ?? key) : (key ?? value)) ?? 0;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? undefined) : undefined;
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function yamlMessage(error: YAMLError): string {
  if (error.code === "MULTIPLE_DOCS") return "a second document begins here";
  // Some messages quote the file.
  const message = withoutTokens(error.message);
  return `not valid YAML: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
}

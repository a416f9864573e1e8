import type { BracketPair, Decoded, ProblemStatus } from "./codec.js";
import type { Endpoint, Parameter, QueryOf } from "./endpoint.js";
import { type EndpointName, type Endpoints, endpoints } from "./endpoints.js";

/** The address of a request below the origin. Never contains a token. */
export interface EncodedRequest {
  pathname: string;
  search: string;
}

/** A parameter that the endpoint refuses, or whose text is invalid. */
export interface ParameterProblem {
  /** As in the request, without brackets. */
  name: string;
  kind: "unknown" | "invalid";
  message: string;
  /** What the platform answers: 422; 400 for a null byte; 500 for a numbered `__or` group. */
  status: ProblemStatus;
}

/** A request to an endpoint. `name` discriminates the type of `query`. */
export type RequestMatch = { [N in EndpointName]: MatchOf<N> }[EndpointName];

interface MatchOf<N extends EndpointName> {
  name: N;
  endpoint: Endpoints[N];
  path: Record<string, string>;
  query: QueryOf<Endpoints[N]>;
  /** The query parameter `token`; undefined when absent or blank. */
  token: string | undefined;
  problems: ParameterProblem[];
}

/**
 * The canonical address: `cv` first, then the parameters by name in code-unit order, percent-encoded, brackets too.
 * @throws RangeError for a value that an address cannot carry
 */
export function encodeRequest<E extends Endpoint>(
  endpoint: E,
  request: { path?: Readonly<Record<string, string | number>>; query?: QueryOf<E> } = {},
): EncodedRequest {
  const query = new Map(Object.entries(request.query ?? {}));
  const names = [...query.keys()].filter((name) => query.get(name) !== undefined).sort(cvFirst);
  const pairs = names.flatMap((name) => encodeParameter(endpoint, name, query.get(name)));
  return {
    pathname: encodePath(endpoint, request.path ?? {}),
    search: pairs.length === 0 ? "" : `?${pairs.join("&")}`,
  };
}

/** Accepts final and doubled slashes, encoded brackets, and `%20` or `+`. The last of a repeated parameter wins. */
export function matchRequest(pathname: string, search: string): RequestMatch | undefined {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  for (const endpoint of Object.values(endpoints)) {
    const path = matchPath(endpoint, segments);
    if (path === undefined) continue;
    const { query, token, problems } = decodeQuery(endpoint, search);
    const match = { name: endpoint.name, endpoint, path: path.values, query, token };
    return { ...match, problems: [...path.problems, ...problems] } as RequestMatch;
  }
  return undefined;
}

function cvFirst(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "cv") return -1;
  if (b === "cv") return 1;
  return a < b ? -1 : 1;
}

function encodeParameter(endpoint: Endpoint, name: string, value: unknown): string[] {
  const parameter = parameterOf(endpoint, name);
  if (parameter === undefined) throw new RangeError(`${endpoint.path} has no parameter "${name}"`);
  if (parameter.codec.kind === "text") return [`${encodePart(name)}=${encodePart(parameter.codec.encode(value))}`];
  return parameter.codec.encode(value).map(({ keys, text }) => {
    const brackets = keys.map((key) => `%5B${encodePart(key)}%5D`).join("");
    return `${encodePart(name)}${brackets}=${encodePart(text)}`;
  });
}

function encodePath(endpoint: Endpoint, values: Readonly<Record<string, string | number>>): string {
  const segments = endpoint.path.split("/").slice(1);
  return segments
    .map((segment) => `/${segment.startsWith(":") ? pathValue(endpoint, segment, values) : segment}`)
    .join("");
}

function pathValue(endpoint: Endpoint, segment: string, values: Readonly<Record<string, string | number>>): string {
  const name = segment.slice(1);
  const value = Object.hasOwn(values, name) ? String(values[name]) : "";
  const parts = (endpoint.pathParams[name]?.accepts === "slug" ? value.split("/") : [value]).filter(
    (part) => part !== "",
  );
  if (parts.length === 0) throw new RangeError(`${endpoint.path} needs "${name}"`);
  // URL parsers resolve even encoded dot segments: the request would go to another address.
  if (parts.includes(".") || parts.includes("..")) throw new RangeError(`"${value}" cannot be part of a path`);
  return parts.map(encodePart).join("/");
}

/** @throws RangeError for ill-formed Unicode, or a null byte, which the platform refuses. */
function encodePart(value: string): string {
  if (value.includes("\0")) throw new RangeError("a text with a null byte cannot be sent");
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new RangeError("a text with an unpaired surrogate cannot be sent", { cause });
  }
}

function matchPath(
  endpoint: Endpoint,
  segments: readonly string[],
): { values: Record<string, string>; problems: ParameterProblem[] } | undefined {
  const template = endpoint.path.split("/").slice(1);
  const takesRest = Object.values(endpoint.pathParams).some(({ accepts }) => accepts === "slug");
  if (takesRest ? segments.length < template.length : segments.length !== template.length) return undefined;
  const values: Record<string, string> = {};
  const problems: ParameterProblem[] = [];
  for (const [i, part] of template.entries()) {
    if (!part.startsWith(":")) {
      if (part !== segments[i]) return undefined;
      continue;
    }
    const name = part.slice(1);
    const accepts = endpoint.pathParams[name]?.accepts;
    const value = decodePart((accepts === "slug" ? segments.slice(i) : [segments[i] ?? ""]).join("/"), false);
    values[name] = value ?? "";
    if (value === undefined) problems.push(invalid(name, { problem: "the path is not percent-encoded UTF-8" }));
    else if (accepts === "number" && !/^\d+$/.test(value)) {
      problems.push(invalid(name, { problem: `"${value}" is not a number` }));
    }
  }
  return { values, problems };
}

interface DecodedQuery {
  query: Record<string, unknown>;
  token: string | undefined;
  problems: ParameterProblem[];
}

function decodeQuery(endpoint: Endpoint, search: string): DecodedQuery {
  const texts = new Map<string, string>();
  const brackets = new Map<string, BracketPair[]>();
  const result: DecodedQuery = { query: {}, token: undefined, problems: [] };
  for (const { name, keys, text, problem } of readPairs(search)) {
    const parameter = parameterOf(endpoint, name);
    if (problem !== undefined) result.problems.push(invalid(name, problem));
    else if (name === "token" && keys.length === 0) result.token = text.trim() || undefined;
    else if (parameter?.codec.kind === "text" && keys.length === 0) texts.set(name, text);
    else if (parameter?.codec.kind === "brackets") {
      const pairs = brackets.get(name);
      if (pairs === undefined) brackets.set(name, [{ keys, text }]);
      else pairs.push({ keys, text });
    } else {
      const message = `${endpoint.path} has no parameter "${name}${keys.map((key) => `[${key}]`).join("")}"`;
      result.problems.push({ name, kind: "unknown", message, status: 422 });
    }
  }
  for (const [name, parameter] of Object.entries(endpoint.params)) {
    const decoded = decodeParameter(parameter, texts.get(name), brackets.get(name));
    if (decoded === undefined || "absent" in decoded) continue;
    if ("problem" in decoded) result.problems.push(invalid(name, decoded));
    else result.query[name] = decoded.value;
  }
  return result;
}

function decodeParameter(
  { codec }: Parameter,
  text: string | undefined,
  pairs: readonly BracketPair[] | undefined,
): Decoded<unknown> | undefined {
  if (codec.kind === "brackets") return pairs === undefined ? undefined : codec.decode(pairs);
  return text === undefined ? undefined : codec.decode(text);
}

interface ReadPair extends BracketPair {
  name: string;
  problem?: { problem: string; status?: ProblemStatus };
}

function readPairs(search: string): ReadPair[] {
  const source = search.startsWith("?") ? search.slice(1) : search;
  return source
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const equals = part.indexOf("=");
      const key = decodePart(equals < 0 ? part : part.slice(0, equals), true);
      const text = decodePart(equals < 0 ? "" : part.slice(equals + 1), true);
      if (key === undefined) return { name: part, keys: [], text: "", problem: { problem: "a name is not UTF-8" } };
      const { name, keys } = splitBrackets(key);
      if (text === undefined) return { name, keys, text: "", problem: { problem: "the value is not UTF-8" } };
      if (!part.includes("%00")) return { name, keys, text };
      return { name, keys, text, problem: { problem: "a parameter must not hold a null byte", status: 400 } };
    });
}

/** `a[b][]` is name `a` with the keys `b` and "". An unclosed key belongs to the name. */
function splitBrackets(key: string): { name: string; keys: string[] } {
  const open = key.indexOf("[");
  if (open <= 0 || !key.endsWith("]")) return { name: key, keys: [] };
  return { name: key.slice(0, open), keys: key.slice(open + 1, -1).split("][") };
}

/** Undefined when the percent-encoding is broken. */
function decodePart(value: string, plusIsSpace: boolean): string | undefined {
  try {
    return decodeURIComponent(plusIsSpace ? value.replaceAll("+", " ") : value);
  } catch {
    return undefined;
  }
}

function invalid(
  name: string,
  { problem, status = 422 }: { problem: string; status?: ProblemStatus },
): ParameterProblem {
  return { name, kind: "invalid", message: `${name}: ${problem}`, status };
}

function parameterOf(endpoint: Endpoint, name: string): Parameter | undefined {
  return Object.hasOwn(endpoint.params, name) ? endpoint.params[name] : undefined;
}

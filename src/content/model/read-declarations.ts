import type { TypesFormat } from "../../config/config.js";
import { parseAs } from "../../lib/parse-as.js";
import { anything, isObject, map, object } from "../../lib/shape.js";

/** The members of each declaration with their types as text. Formatting and comments do not count. */
export type Declarations = ReadonlyMap<string, DeclaredMembers>;

export interface DeclaredMembers {
  /** The component whose fields the members are; undefined for any other declaration. */
  component: string | undefined;
  /** By name; a declaration without members has one without a name. */
  members: ReadonlyMap<string, string>;
}

/** Reads the declarations of a text that the printer of that format wrote. Skips what it cannot read. */
export function readDeclarations(text: string, format: TypesFormat): Declarations {
  return format === "json-schema" ? readJsonSchema(text) : readScript(tokensOf(text));
}

const schemaShape = object({ $defs: map(anything) });

function readJsonSchema(text: string): Declarations {
  const found = new Map<string, DeclaredMembers>();
  const definitions = parseAs(text, schemaShape)?.$defs ?? {};
  for (const [name, definition] of Object.entries(definitions)) {
    if (!isObject(definition)) continue;
    const required = new Set(Array.isArray(definition.required) ? definition.required : []);
    const properties: Record<string, unknown> = isObject(definition.properties) ? definition.properties : {};
    const members = Object.entries(properties).map(([key, value]): [string, string] => {
      return [key, `${required.has(key) ? "" : "?"}${schemaText(value)}`];
    });
    const constant = isObject(properties.component) ? properties.component.const : undefined;
    found.set(name, {
      component: typeof constant === "string" ? constant : undefined,
      members: new Map(members.length > 0 ? members : [["", schemaText(definition)]]),
    });
  }
  return found;
}

function schemaText(schema: unknown): string {
  return (
    JSON.stringify(schema, (key, value) => (key === "$comment" || key === "description" ? undefined : value)) ?? ""
  );
}

/** Words, texts as JSON, and single characters; white space and comments are left out. */
function tokensOf(text: string): string[] {
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|("(?:[^"\\]|\\.)*")|('(?:[^'\\]|\\.)*')|([\p{ID_Continue}$]+)|(=>)|(\S)/gu;
  return [...text.matchAll(pattern)].flatMap(([, double, single, word, arrow, character]) => {
    if (double !== undefined || single !== undefined) return [plainLiteral(double ?? single ?? "")];
    return word ?? arrow ?? character ?? [];
  });
}

function plainLiteral(literal: string): string {
  const inside = literal.slice(1, -1).replaceAll("\\'", "'");
  const quoted = literal.startsWith("'") ? inside.replace(/(?<!\\)"/g, '\\"') : inside;
  try {
    return JSON.stringify(JSON.parse(`"${quoted}"`));
  } catch {
    return literal;
  }
}

function readScript(tokens: readonly string[]): Declarations {
  const [, ...declarations] = divided(tokens, ["export"]);
  return new Map(declarations.map(([, name = "", ...body]) => [name, readBody(body)]));
}

/** The pieces between separators that are in no brackets, up to the end of the brackets around them. */
function divided(tokens: readonly string[], separators: readonly string[]): string[][] {
  const pieces: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0 && separators.includes(token)) pieces.push([]);
    else pieces.at(-1)!.push(token);
    depth += depthChange(token);
    if (depth < 0) break;
  }
  return pieces;
}

function readBody(tokens: readonly string[]): DeclaredMembers {
  const open = tokens.indexOf("{");
  const before = tokens.slice(0, open).filter((token) => !["=", "z", ".", "object", "("].includes(token));
  const members =
    open === -1 || before.length > 0 ? new Map([["", spelled(tokens)]]) : membersOf(tokens.slice(open + 1));
  const component = /^(?:z\.literal\()?(".*")\)?$/.exec(members.get("component") ?? "")?.[1];
  return { component: component === undefined ? undefined : textOf(component), members };
}

function membersOf(tokens: readonly string[]): Map<string, string> {
  const members = divided(tokens, [";", ",", "}"]).flatMap((member): [string, string][] => {
    const colon = member.indexOf(":");
    if (colon < 1) return [];
    const key = member.slice(0, colon).filter((token) => token !== "[" && token !== "]");
    const isOptional = key.at(-1) === "?";
    return [[textOf(key[0]!), `${isOptional ? "?" : ""}${spelled(member.slice(colon + 1))}`]];
  });
  return new Map(members);
}

/** Tokens as one text, without what formatters add: a leading `|`, a comma at the end of a list. */
function spelled(tokens: readonly string[]): string {
  return tokens
    .filter((token, at) => {
      const before = tokens[at - 1];
      const after = tokens[at + 1];
      if (token === "|") return before !== undefined && !["=", "(", "<", ",", ":"].includes(before);
      if (token === ",") return after !== undefined && ![")", "]", "}"].includes(after);
      return token !== ";" || (at < tokens.length - 1 && after !== "}");
    })
    .map((token) => (token === "|" ? " | " : token === "," || token === ":" ? `${token} ` : token))
    .join("");
}

function depthChange(token: string): number {
  if (token === "{" || token === "(" || token === "[" || token === "<") return 1;
  return token === "}" || token === ")" || token === "]" || token === ">" ? -1 : 0;
}

function textOf(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

export interface TypeDifference {
  /** `added`: the snapshot has it, and the file does not. */
  kind: "added" | "removed" | "changed";
  /** The component, or the name of another declaration (`Asset`, a plugin, a datasource). */
  component: string;
  field: string | null;
  /** The type in the file, with `?` before it where the field is optional; null where the file lacks it. */
  file: string | null;
  snapshot: string | null;
}

/** What differs, in the order of components and fields; each field once. */
export function compareDeclarations(file: Declarations, snapshot: Declarations): TypeDifference[] {
  const found = new Map<string, TypeDifference>();
  for (const name of [...new Set([...file.keys(), ...snapshot.keys()])].sort()) {
    for (const difference of compareMembers(name, file.get(name), snapshot.get(name))) {
      const key = JSON.stringify([difference.component, difference.field]);
      if (!found.has(key)) found.set(key, difference);
    }
  }
  return [...found.values()].filter(({ field, component }) => {
    // Reports an added or removed component once, not again for the maps.
    return field === null || !isListed(found, component, field);
  });
}

function compareMembers(
  name: string,
  file: DeclaredMembers | undefined,
  snapshot: DeclaredMembers | undefined,
): TypeDifference[] {
  const component = snapshot?.component ?? file?.component ?? name;
  if (file === undefined) return [{ kind: "added", component, field: null, file: null, snapshot: name }];
  if (snapshot === undefined) return [{ kind: "removed", component, field: null, file: name, snapshot: null }];
  return [...new Set([...file.members.keys(), ...snapshot.members.keys()])].sort().flatMap((member) => {
    const before = file.members.get(member) ?? null;
    const after = snapshot.members.get(member) ?? null;
    if (before === after) return [];
    const kind = before === null ? "added" : after === null ? "removed" : "changed";
    return [{ kind, component, field: member === "" ? null : member, file: before, snapshot: after }];
  });
}

/** The maps `ContentTypes` and `Blocks` name every component: a difference there is reported for the component. */
function isListed(found: ReadonlyMap<string, TypeDifference>, map: string, component: string): boolean {
  return (map === "ContentTypes" || map === "Blocks") && found.has(JSON.stringify([component, null]));
}

export type TypeExpression =
  | { kind: "text" | "number" | "boolean" | "null" | "record" | "unknown" }
  | { kind: "choice"; values: readonly string[] }
  | { kind: "named"; name: string }
  /** A reference to a story of one of these content types. */
  | { kind: "reference"; components: readonly string[] }
  /** An embedded story of one of these content types, by the names of their declarations. */
  | { kind: "story"; names: readonly string[] }
  | { kind: "list"; of: TypeExpression }
  | { kind: "object"; fields: readonly DeclaredField[] }
  | { kind: "union"; of: readonly TypeExpression[] };

export interface DeclaredField {
  name: string;
  isOptional: boolean;
  type: TypeExpression;
  /** Text of content may stand in it: printers make it safe. */
  comment?: string;
}

export interface Declaration {
  name: string;
  comment: string;
  type: TypeExpression;
}

export interface ComponentDeclaration {
  component: string;
  name: string;
  /** Name of what is declared for its stories; undefined if no story has it as its content. */
  storyName: string | undefined;
  comment: string;
  fields: readonly DeclaredField[];
}

export interface DeclaredTypes {
  /** The parts of components and stories: assets, links, rich text, choices, plugins. */
  parts: readonly Declaration[];
  components: readonly ComponentDeclaration[];
  storyFields: readonly DeclaredField[];
}

export const text: TypeExpression = { kind: "text" };
export const number: TypeExpression = { kind: "number" };
export const boolean: TypeExpression = { kind: "boolean" };
export const nothing: TypeExpression = { kind: "null" };
export const record: TypeExpression = { kind: "record" };
export const unknownType: TypeExpression = { kind: "unknown" };

export function choice(...values: readonly string[]): TypeExpression {
  return { kind: "choice", values };
}

export function named(name: string): TypeExpression {
  return { kind: "named", name };
}

export function listOf(of: TypeExpression): TypeExpression {
  return { kind: "list", of };
}

/** One of these types; of a single one, that type. Nothing but `unknown` is left beside `unknown`. */
export function oneOf(...of: readonly TypeExpression[]): TypeExpression {
  if (of.length === 0 || of.some(({ kind }) => kind === "unknown")) return unknownType;
  return of.length === 1 ? of[0]! : { kind: "union", of };
}

export function required(name: string, type: TypeExpression): DeclaredField {
  return { name, type, isOptional: false };
}

export function optional(name: string, type: TypeExpression): DeclaredField {
  return { name, type, isOptional: true };
}

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

const storyTerm: TypeExpression = {
  kind: "object",
  fields: [
    required("id", text),
    required("name", text),
    required("path", text),
    optional("display_name", text),
    optional("taxonomy_id", oneOf(text, nothing)),
    optional("parent", oneOf(record, nothing)),
    optional("taxonomy", oneOf(record, nothing)),
  ],
};

/** The fields of every story without its content, as the API names them. */
export const storyFields: readonly DeclaredField[] = [
  required("id", number),
  required("uuid", text),
  required("name", text),
  required("slug", text),
  required("full_slug", text),
  { ...required("url", text), comment: "the address of its page on the site" },
  { ...optional("language", text), comment: "the edition's language, from openSnapshot" },
  optional("created_at", text),
  optional("published_at", oneOf(text, nothing)),
  optional("first_published_at", oneOf(text, nothing)),
  optional("updated_at", oneOf(text, nothing)),
  optional("sort_by_date", oneOf(text, nothing)),
  optional("position", number),
  optional("tag_list", listOf(text)),
  optional("is_startpage", boolean),
  optional("parent_id", oneOf(number, nothing)),
  optional("meta_data", oneOf(record, nothing)),
  optional("group_id", text),
  optional("release_id", oneOf(number, nothing)),
  optional("lang", text),
  optional("path", oneOf(text, nothing)),
  optional("alternates", listOf(record)),
  optional("default_full_slug", oneOf(text, nothing)),
  optional("translated_slugs", oneOf(listOf(record), nothing)),
  { ...optional("taxonomy_terms", listOf(storyTerm)), comment: "only in a space with taxonomies" },
];

/** The fields of a story that a field names. */
export const referenceFields = ["uuid", "full_slug", "name", "component", "url"].map((name) => required(name, text));

const nodeFields: readonly DeclaredField[] = [
  optional("text", text),
  optional("attrs", oneOf(record, nothing)),
  optional("marks", listOf(named("RichTextMark"))),
  optional("content", listOf(named("RichTextNode"))),
];
const keysOfCells: readonly DeclaredField[] = [optional("_uid", text), optional("component", text)];

function object(name: string, comment: string, ...fields: readonly DeclaredField[]): Declaration {
  return { name, comment, type: { kind: "object", fields } };
}

const cells = listOf(named("TableCell"));

/** Declarations that are the same for every space. */
export const standardTypes: readonly Declaration[] = [
  object("RichText", "A rich text document.", required("type", choice("doc")), ...nodeFields),
  object("RichTextNode", "A node of rich text: a paragraph, a text, a block.", required("type", text), ...nodeFields),
  object(
    "RichTextMark",
    "What marks a text: bold, a link.",
    required("type", text),
    optional("attrs", oneOf(record, nothing)),
  ),
  object(
    "Table",
    "A table field.",
    optional("fieldtype", choice("table")),
    required("thead", cells),
    required("tbody", listOf(named("TableRow"))),
  ),
  object("TableRow", "A row of a table field.", ...keysOfCells, required("body", cells)),
  object("TableCell", "A cell of a table field.", ...keysOfCells, required("value", text)),
];

/** Names that printers give to other declarations, or use. */
export const namesOfPrinters = [
  "Asset",
  "Block",
  "Blocks",
  "ContentTypes",
  "Link",
  "Object",
  "Story",
  "StoryFields",
  "StoryReference",
];

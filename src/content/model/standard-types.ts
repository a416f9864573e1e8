import {
  boolean,
  choice,
  type Declaration,
  type DeclaredField,
  listOf,
  named,
  nothing,
  number,
  oneOf,
  optional,
  record,
  required,
  type TypeExpression,
  text,
} from "./declared-types.js";

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

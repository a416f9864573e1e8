import type { ComponentDeclaration, DeclaredField, DeclaredTypes, TypeExpression } from "./declared-types.js";

/** @param absence how the type of an optional field goes on: zod's own types allow `undefined` */
export function printTypeScript(
  { parts, components, storyFields }: DeclaredTypes,
  absence: "" | " | undefined" = "",
): string {
  const stories = components.filter(({ storyName }) => storyName !== undefined);
  return [
    ...parts.map(({ name, comment, type }) => declaration(name, comment, typeText(type, "", absence))),
    declaration("StoryFields", "The fields of every story, without its content.", fieldsText(storyFields, "", absence)),
    reference,
    ...components.map(({ name, comment, fields }) => declaration(name, comment, fieldsText(fields, "", absence))),
    mapText("ContentTypes", "The content of stories by their content type.", stories),
    storyText,
    ...stories.map(({ storyName, component }) => {
      return declaration(storyName!, `A story of the content type ${component}.`, `Story<${literal(component)}>`);
    }),
    mapText("Blocks", "Content types and nested blocks by their component.", components),
    declaration("Block", "Any content type or nested block.", "Blocks[keyof Blocks]"),
  ].join("\n");
}

const reference = `/** A story that a field names. */
export type StoryReference<Component extends string = string> = {
  uuid: string;
  full_slug: string;
  name: string;
  component: Component;
  url: string;
};
`;

const storyText = `/** A story: \`Story<"article">\` of one content type, \`Story\` of any. */
export type Story<Component extends keyof ContentTypes = keyof ContentTypes> = {
  [Name in Component]: StoryFields & { content: ContentTypes[Name] };
}[Component];
`;

function declaration(name: string, comment: string, type: string): string {
  return `/** ${commentText(comment)} */\nexport type ${name} = ${type};\n`;
}

function mapText(name: string, comment: string, components: readonly ComponentDeclaration[]): string {
  const lines = components.map((one) => `  ${propertyKey(one.component)}: ${one.name};\n`);
  return `/** ${commentText(comment)} */\nexport interface ${name} {\n${lines.join("")}}\n`;
}

function fieldsText(fields: readonly DeclaredField[], indent: string, absence: string): string {
  const inner = `${indent}  `;
  const lines = fields.map(({ name, type, comment, ...field }) => {
    // No schema of zod can require it.
    const isOptional = field.isOptional || (absence !== "" && name === "__proto__");
    const before = comment === undefined ? "" : `${inner}/** ${commentText(comment)} */\n`;
    return `${before}${inner}${propertyKey(name)}${isOptional ? "?" : ""}: ${typeText(type, inner, absence)}${isOptional ? inherited(name) + absence : ""};\n`;
  });
  return lines.length === 0 ? "{ [key: string]: never }" : `{\n${lines.join("")}${indent}}`;
}

/** Methods that every object has: where the field is absent, its name leads to them. */
const methods = [
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
];

function inherited(name: string): string {
  return methods.includes(name) ? ` | Object[${literal(name)}]` : "";
}

function typeText(type: TypeExpression, indent: string, absence: string): string {
  switch (type.kind) {
    case "text":
      return "string";
    case "record":
      return "{ [key: string]: unknown }";
    case "choice":
      return type.values.map(literal).join(" | ");
    case "named":
      return type.name;
    case "reference":
      return `StoryReference<${type.components.map(literal).join(" | ")}>`;
    case "story":
      return type.names.join(" | ");
    case "list":
      return listText(type.of, indent, absence);
    case "object":
      return fieldsText(type.fields, indent, absence);
    case "union":
      return type.of.map((one) => typeText(one, indent, absence)).join(" | ");
    default:
      return type.kind;
  }
}

function listText(of: TypeExpression, indent: string, absence: string): string {
  const item = typeText(of, indent, absence);
  const isUnion = of.kind === "union" || (of.kind === "choice" && of.values.length > 1) || of.kind === "story";
  return isUnion ? `(${item})[]` : `${item}[]`;
}

/** Characters that end a line, or turn the order of what an editor shows around. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function literal(text: string): string {
  return JSON.stringify(text).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const longestComment = 200;

/** A text within a comment of one line, which it cannot end. */
export function commentText(text: string): string {
  const cut = text.length > longestComment ? `${text.slice(0, longestComment)}…` : text;
  return cut.replace(unsafe, " ").replaceAll("*/", "*\\/").toWellFormed();
}

export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__" ? name : literal(name);
}

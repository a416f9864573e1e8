import { printableJson } from "../../lib/printable.js";
import { type DeclaredField, type DeclaredTypes, referenceFields, type TypeExpression } from "./declared-types.js";

type Schema = Record<string, unknown>;

/** The types as JSON Schema (draft 2020-12) of one story; the others in `$defs`. @param comment where it comes from */
export function printJsonSchema({ parts, components, storyFields }: DeclaredTypes, comment: string): string {
  const stories = components.filter(({ storyName }) => storyName !== undefined);
  const definitions: [string, Schema][] = [
    ...parts.map(({ name, comment, type }): [string, Schema] => [name, { description: comment, ...schemaOf(type) }]),
    ["StoryFields", objectSchema(storyFields)],
    ["StoryReference", objectSchema(referenceFields)],
    ...components.map(({ name, comment, fields }): [string, Schema] => {
      return [name, { description: comment, ...objectSchema(fields) }];
    }),
    ...stories.map(({ name, storyName }): [string, Schema] => {
      const content = { type: "object", properties: { content: definition(name) }, required: ["content"] };
      return [storyName!, { allOf: [definition("StoryFields"), content] }];
    }),
  ];
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: comment,
    title: "Story",
    ...anyOf(stories.map(({ storyName }) => definition(storyName!))),
    $defs: Object.fromEntries(definitions),
  };
  return `${printableJson(JSON.stringify(schema, null, 2))}\n`;
}

function definition(name: string): Schema {
  return { $ref: `#/$defs/${encodeURIComponent(name)}` };
}

function objectSchema(fields: readonly DeclaredField[]): Schema {
  const properties = fields.map(({ name, type, comment }): [string, Schema] => {
    return [name, { ...schemaOf(type), ...(comment === undefined ? {} : { $comment: comment }) }];
  });
  const names = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  const required = names.length > 0 ? { required: names } : {};
  return { type: "object", properties: Object.fromEntries(properties), ...required };
}

function schemaOf(type: TypeExpression): Schema {
  switch (type.kind) {
    case "text":
      return { type: "string" };
    case "record":
      return { type: "object" };
    case "unknown":
      return {};
    case "choice":
      return type.values.length === 1 ? { const: type.values[0] } : { enum: type.values };
    case "named":
      return definition(type.name);
    case "reference":
      return { ...definition("StoryReference"), type: "object", properties: { component: { enum: type.components } } };
    case "story":
      return anyOf(type.names.map(definition));
    case "list":
      return { type: "array", items: schemaOf(type.of) };
    case "object":
      return objectSchema(type.fields);
    case "union":
      return anyOf(type.of.map(schemaOf));
    default:
      return { type: type.kind };
  }
}

function anyOf(schemas: readonly Schema[]): Schema {
  return schemas.length === 1 ? schemas[0]! : schemas.length === 0 ? { not: {} } : { anyOf: schemas };
}

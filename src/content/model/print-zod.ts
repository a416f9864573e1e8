import { type DeclaredField, type DeclaredTypes, referenceFields, type TypeExpression } from "./declared-types.js";
import { commentText, literal, printTypeScript, propertyKey } from "./print-typescript.js";

/** `ArticleSchema` and `Article` for content, `ArticleStorySchema` for stories. `zod/v4` is in zod 3.25 and zod 4. */
export function printZod(types: DeclaredTypes): string {
  const { parts, components, storyFields } = types;
  const stories = components.filter(({ storyName }) => storyName !== undefined);
  const storySchemas = stories.map(({ storyName }) => `${storyName}Schema`);
  return [
    'import { z } from "zod/v4";\n',
    printTypeScript(types, " | undefined"),
    ...parts.map(({ name, comment, type }) => schema(name, comment, typeText(type, ""))),
    schema("StoryFields", "The fields of every story, without its content.", fieldsText(storyFields, "")),
    schema("StoryReference", "A story that a field names.", fieldsText(referenceFields, "")),
    ...components.map(({ name, comment, fields }) => schema(name, comment, fieldsText(fields, ""))),
    ...stories.map(({ name, storyName, component }) => {
      const type = `StoryFieldsSchema.extend({ content: ${name}Schema })`;
      return schema(storyName!, `A story of the content type ${component}.`, type);
    }),
    schema("Story", "A story of any content type.", unionText(storySchemas)),
    schema("Block", "Any content type or nested block.", unionText(components.map(({ name }) => `${name}Schema`))),
  ].join("\n");
}

function schema(name: string, comment: string, text: string): string {
  return `/** ${commentText(comment)} */\nexport const ${name}Schema = ${text};\n`;
}

function fieldsText(fields: readonly DeclaredField[], indent: string): string {
  const inner = `${indent}  `;
  // zod reads what an object inherits as if it were its own: it cannot distinguish the prototype from a field of that name.
  const lines = fields
    .filter(({ name }) => name !== "__proto__")
    .map(({ name, isOptional, type, comment }) => {
      const before = comment === undefined ? "" : `${inner}/** ${commentText(comment)} */\n`;
      const value = `${typeText(type, inner)}${isOptional ? ".optional()" : ""}`;
      return `${before}${inner}${propertyKey(name)}: ${isOptional && name in Object.prototype ? owned(value) : value},\n`;
    });
  return lines.length === 0 ? "z.object({})" : `z.object({\n${lines.join("")}${indent}})`;
}

/** A field that may be absent, where an object inherits a method of its name. */
function owned(schema: string): string {
  return `z.preprocess((value) => (typeof value === "function" ? undefined : value), ${schema})`;
}

function typeText(type: TypeExpression, indent: string): string {
  switch (type.kind) {
    case "text":
      return "z.string()";
    case "record":
      return "z.looseObject({})";
    case "choice":
      return type.values.length === 1 ? `z.literal(${literal(type.values[0]!)})` : choiceText(type.values);
    case "named":
      return lazyText(type.name);
    case "reference":
      return `StoryReferenceSchema.extend({ component: ${choiceText(type.components)} })`;
    case "story":
      return unionText(type.names.map(lazyText));
    case "list":
      return `z.array(${typeText(type.of, indent)})`;
    case "object":
      return fieldsText(type.fields, indent);
    case "union":
      return unionText(type.of.map((one) => typeText(one, indent)));
    default:
      return `z.${type.kind}()`;
  }
}

/** A schema that may be declared further down, or contain itself. */
function lazyText(name: string): string {
  return `z.lazy((): z.ZodType<${name}> => ${name}Schema)`;
}

function choiceText(values: readonly string[]): string {
  return `z.literal([${values.map(literal).join(", ")}])`;
}

function unionText(schemas: readonly string[]): string {
  if (schemas.length === 0) return "z.never()";
  return schemas.length === 1 ? schemas[0]! : `z.union([${schemas.join(", ")}])`;
}

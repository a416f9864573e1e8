import { fileURLToPath } from "node:url";
import ts from "typescript";
import { configJsonSchema } from "../src/config/schema/fleet-schema.js";
import { orVariable } from "../src/config/schema/value-kinds.js";
import { isObject, type JsonSchema } from "../src/lib/shape.js";
import { printFile } from "./printed-file.js";

/** The text of config/sync.config.schema.json: on one line, because the package ships it for editors. */
export function configSchemaText(): string {
  const program = ts.createProgram(["src/config/schema/fleet-schema.ts"], {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const values = [
    valuesOf("src/config/schema/config-schema.ts", "configSchema", program, checker),
    valuesOf("src/config/schema/fleet-schema.ts", "fleetSchema", program, checker),
  ];
  return `${JSON.stringify(described(configJsonSchema(), values, checker))}\n`;
}

/** What an exported section reads: the argument of its type, `ValueKind<…>`. */
function valuesOf(file: string, section: string, program: ts.Program, checker: ts.TypeChecker): ts.Type {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  const exported = checker.getExportsOfModule(module).find(({ name }) => name === section)!;
  return checker.getTypeArguments(checker.getTypeOfSymbol(exported) as ts.TypeReference)[0]!;
}

/** The schema with the doc comment of each key as its description. @param types what the schema may read */
function described(schema: JsonSchema, types: readonly ts.Type[], checker: ts.TypeChecker): JsonSchema {
  const inside = (inner: JsonSchema) => described(inner, types, checker);
  const { properties, anyOf, items, additionalProperties, definitions } = schema;
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [key, describedKey(key, inner, types, checker)]),
      ),
    }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inside) }),
    ...(items !== undefined && { items: inside(items as JsonSchema) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: inside(additionalProperties) }),
    ...(isObject(definitions) && {
      definitions: Object.fromEntries(
        Object.entries(definitions).map(([name, inner]) => [name, inside(inner as JsonSchema)]),
      ),
    }),
  };
}

function describedKey(key: string, schema: JsonSchema, types: readonly ts.Type[], checker: ts.TypeChecker): JsonSchema {
  const found = types.flatMap((type) => ["", "Ms", "Share"].flatMap((unit) => type.getProperty(key + unit) ?? []))[0];
  if (found === undefined) return schema;
  const about = ts.displayPartsToString(found.getDocumentationComment(checker)).replaceAll(/\s+/g, " ");
  const inner = described(schema, objectsIn(checker.getTypeOfSymbol(found), checker), checker);
  if (about === "") return inner;
  const { default: assumed, ...others } = inner;
  return {
    ...(assumed !== undefined && { default: assumed }),
    // A comment cannot hold the two characters that end it.
    description: about.replaceAll("*\\/", "*/"),
    ...orVariable(others),
  };
}

/** The types of objects that a value of the type is, or is a list or a mapping of. */
function objectsIn(type: ts.Type, checker: ts.TypeChecker): ts.Type[] {
  if (type.isUnion()) return type.types.flatMap((one) => objectsIn(one, checker));
  const inner = checker.getIndexTypeOfType(type, checker.isArrayType(type) ? ts.IndexKind.Number : ts.IndexKind.String);
  return inner === undefined ? [type] : objectsIn(inner, checker);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await printFile("config/sync.config.schema.json", configSchemaText(), process.argv.slice(2));
}

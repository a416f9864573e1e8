import type { DeclaredTypes } from "./declared-types.js";
import { printJsonSchema } from "./print-json-schema.js";
import { printTypeScript } from "./print-typescript.js";
import { printZod } from "./print-zod.js";
import { type TypesRequest, typesHeader } from "./types-header.js";

/**
 * The text of a file of types. The same types and request give the same bytes.
 *
 * @param told what flags said beside the format; the first line repeats it
 */
export function typesText(
  types: DeclaredTypes,
  format: TypesRequest["format"],
  told: Omit<TypesRequest, "format"> = {},
): string {
  const header = typesHeader({ ...told, format });
  if (format === "json-schema") return printJsonSchema(types, header);
  const text = format === "zod" ? printZod(types) : printTypeScript(types);
  return `// ${header}\n/* eslint-disable */\n\n${text}`;
}

import type { TypesFormat } from "../config/config.js";
import type { DeclaredTypes } from "./declared-types.js";
import { printJsonSchema } from "./print-json-schema.js";
import { printTypeScript } from "./print-typescript.js";
import { printZod } from "./print-zod.js";

/** Begins every file of types, so that no other file is taken for one. */
const mark = "Written by `offprint types` from the content of the space. Change nothing here: it is replaced.";

/** The text of a file of types. The same types give the same bytes. */
export function typesText(types: DeclaredTypes, format: TypesFormat): string {
  if (format === "json-schema") return printJsonSchema(types, mark);
  const text = format === "zod" ? printZod(types) : printTypeScript(types);
  return `// ${mark}\n/* eslint-disable */\n\n${text}`;
}

/** Whether a file was written by us, whatever a formatter made of its line ends and quotes. */
export function isTypesText(text: string): boolean {
  return text.slice(0, mark.length + 100).includes(mark);
}

/** How a file of types is spelled. */
export function formatOf(text: string): TypesFormat {
  if (text.trimStart().startsWith("{")) return "json-schema";
  return /^import .* from ["']zod["']/m.test(text) ? "zod" : "typescript";
}

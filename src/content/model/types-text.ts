import type { TypesFormat } from "../../config/config.js";
import type { DeclaredTypes } from "./declared-types.js";
import { printJsonSchema } from "./print-json-schema.js";
import { printTypeScript } from "./print-typescript.js";
import { printZod } from "./print-zod.js";

/** The text of a file of types. @param flags the flags besides the format; the first line repeats them */
export function typesText(
  types: DeclaredTypes,
  format: TypesRequest["format"],
  flags: Omit<TypesRequest, "format"> = {},
): string {
  const header = typesHeader({ ...flags, format });
  if (format === "json-schema") return printJsonSchema(types, header);
  const text = format === "zod" ? printZod(types) : printTypeScript(types);
  return `// ${header}\n/* eslint-disable */\n\n${text}`;
}

export interface TypesRequest {
  format: TypesFormat;
  /** undefined: `content.richText` of the configuration. */
  richText?: "document" | "html" | undefined;
  /** undefined: `resolve.depth` of the configuration. */
  depth?: number | undefined;
}

/** The line that begins every file of types, so that no other file is taken for one, and `--check` knows its flags. */
function typesHeader(request: TypesRequest): string {
  const command = ["offprint types", ...requestFlags(request)].join(" ");
  return `Written by \`${command}\` from the content of the space. Change nothing here: it is replaced.`;
}

export function requestFlags({ format, richText, depth }: TypesRequest): string[] {
  return [
    ...(format === "typescript" ? [] : [`--${format}`]),
    ...(richText === undefined ? [] : [`--rich-text ${richText}`]),
    ...(depth === undefined ? [] : [`--depth ${depth}`]),
  ];
}

const header =
  /Written by `offprint types((?: --[a-z-]+(?: [a-z0-9]+)?)*)` from the content of the space\. Change nothing here: it is replaced\./;
const headerRange = 400;

/** With which flags a file was written; undefined if it was not written by us. */
export function readTypesHeader(text: string): TypesRequest | undefined {
  const flags = header.exec(text.slice(0, headerRange))?.[1];
  if (flags === undefined) return undefined;
  const richText = / --rich-text (document|html)(?= |$)/.exec(flags)?.[1];
  const depth = / --depth (\d+)(?= |$)/.exec(flags)?.[1];
  return {
    format: formatOf(text),
    richText: richText === "document" || richText === "html" ? richText : undefined,
    depth: depth === undefined ? undefined : Number(depth),
  };
}

/** How a file of types is spelled. Its text says so, because earlier versions wrote no flags. */
export function formatOf(text: string): TypesFormat {
  if (text.trimStart().startsWith("{")) return "json-schema";
  return /^import .* from ["']zod(?:\/v4)?["']/m.test(text) ? "zod" : "typescript";
}

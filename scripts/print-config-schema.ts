import { fileURLToPath } from "node:url";
import { configJsonSchema } from "../src/config/schema/fleet-schema.js";
import { printFile } from "./printed-file.js";

/** The text of config/sync.config.schema.json. */
export function configSchemaText(): string {
  return `${printJson(configJsonSchema(), "", 0)}\n`;
}

/** JSON as the formatter of this repository wants it: lists on one line where they fit, objects over several lines. */
function printJson(value: unknown, indent: string, before: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = printOnOneLine(value);
    if (before + line.length < lineWidth) return line;
    return `[\n${value.map((item) => inner + printJson(item, inner, inner.length)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, item]) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return start + printJson(item, inner, start.length);
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

const lineWidth = 120;

function printOnOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printOnOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printOnOneLine(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await printFile("config/sync.config.schema.json", configSchemaText(), process.argv.slice(2));
}

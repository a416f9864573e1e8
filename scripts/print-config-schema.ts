import { fileURLToPath } from "node:url";
import { configJsonSchema } from "../src/config/schema/fleet-schema.js";
import { printFile } from "./printed-file.js";

/** The text of config/sync.config.schema.json: on one line, because the package ships it for editors. */
export function configSchemaText(): string {
  return `${JSON.stringify(configJsonSchema())}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await printFile("config/sync.config.schema.json", configSchemaText(), process.argv.slice(2));
}

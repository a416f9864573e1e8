import { readFile } from "node:fs/promises";
import { parseConfigDocument } from "./config-document.js";

/** Which environment variables the source of a configuration file reads. Undefined: the file says the value itself. */
export interface SourceVariables {
  url: string | undefined;
  token: string | undefined;
}

/**
 * Reads which variables `source.url` and `source.token` are, set or not: `OFFPRINT_URL` for `${OFFPRINT_URL:-demo:}`.
 *
 * @param file absolute path of a configuration file that can be read
 */
export async function readSourceVariables(file: string): Promise<SourceVariables> {
  const document = parseConfigDocument(await readFile(file, "utf8"), {});
  const variableAt = (key: string) => variableOf(document.written(["source", key]));
  return { url: variableAt("url"), token: variableAt("token") };
}

function variableOf(written: string | undefined): string | undefined {
  return /^\s*\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}\s*$/.exec(written ?? "")?.[1];
}

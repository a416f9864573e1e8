import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Content } from "./compile/compile-content.js";

/** What the build makes of the content files. It lies beside this module in `dist`, and not in the sources. */
const compiledFile = join(import.meta.dirname, "content.json");

/** Loaded in the sources alone: to read YAML and Markdown takes longer than everything else at the start. */
const compiler = existsSync(compiledFile) ? undefined : await import("./compile/compile-folder.js");

/**
 * What is written of the demo space.
 *
 * @throws SyntaxError in the sources, with every mistake of every content file
 */
export function readContent(): Content {
  if (compiler !== undefined) return compiler.compileFolder(join(import.meta.dirname, "content"));
  return JSON.parse(readFileSync(compiledFile, "utf8"));
}

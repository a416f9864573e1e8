import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Content, type ContentName, compileContent, contentNames } from "./compile-content.js";

/**
 * Reads the content files of a folder.
 *
 * @throws SyntaxError with every mistake of every file, each as `books.yaml:12:5: series.0.books.0.pages: expected …`
 */
export function compileFolder(folder: string): Content {
  const texts = contentNames.map((name) => [name, readFileSync(join(folder, `${name}.yaml`), "utf8")]);
  return compileContent(Object.fromEntries(texts) as Record<ContentName, string>);
}

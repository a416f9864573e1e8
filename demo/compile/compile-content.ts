import { isCollection, isNode, LineCounter, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import { cataloguedAsset } from "../assets/pictures.js";
import { contentShapes } from "./content-shapes.js";
import { contentValue } from "./content-value.js";
import type { FindAsset } from "./rich-text-from-markdown.js";

/** Everything that the content files say, by the name of the file. JSON values. */
export type Content = { readonly [name in ContentName]: z.infer<(typeof contentShapes)[name]> };

/** The name of a content file, without `.yaml`. */
export type ContentName = keyof typeof contentShapes;

/** The names of all content files; `assets` is the first, because the others name its files. */
export const contentNames = Object.keys(contentShapes) as ContentName[];

/**
 * Reads the content files: YAML, Markdown and the notations of README.md become the values that fields hold.
 *
 * @param texts The text of each file.
 * @throws SyntaxError with every problem of every file, each as `books.yaml:12:5: series.0.books.0.pages: expected …`
 */
export function compileContent(texts: { readonly [name in ContentName]: string }): Content {
  const problems: string[] = [];
  const content: { [name: string]: unknown } = {};
  const findAsset: FindAsset = (name) => {
    const asset = (content as Partial<Content>).assets?.[name];
    if (asset === undefined) throw new RangeError(`assets.yaml has no file ${JSON.stringify(name)}`);
    return cataloguedAsset(name, asset);
  };
  for (const name of contentNames) {
    content[name] = compileFile(name, texts[name], findAsset, (problem) => problems.push(problem));
  }
  if (problems.length > 0) throw new SyntaxError(problems.join("\n"));
  return content as Content;
}

function compileFile(name: ContentName, text: string, findAsset: FindAsset, found: (problem: string) => void): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    found(`${name}.yaml:${line}:${col}: ${message}`);
  };
  const reportNode = (node: Node, message: string) => report(node.range?.[0] ?? 0, message);
  for (const { pos, message } of document.errors) report(pos[0], message);
  const value = contentValue(document, findAsset, reportNode);
  const { error } = contentShapes[name].safeParse(value);
  for (const { path, message } of error?.issues ?? []) {
    const node = nearestNode(document.contents, path);
    if (node !== null) reportNode(node, `${path.join(".")}: ${message}`);
  }
  return value;
}

/** The node that the path leads to, or the last one that it passes. */
function nearestNode(root: Node | null, path: readonly PropertyKey[]): Node | null {
  let node = root;
  for (const key of path) {
    const next = isCollection(node) ? node.get(key === "default" ? "en" : key, true) : undefined;
    if (isNode(next)) node = next;
  }
  return node;
}

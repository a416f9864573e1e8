import { isCollection, isNode, LineCounter, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import { cataloguedAsset, type DemoAsset } from "../assets/pictures.js";
import { contentShapes } from "./content-shapes.js";
import { contentValue } from "./content-value.js";

/** Everything that the content files say, by the name of the file. JSON values. */
export type Content = { readonly [name in ContentName]: z.infer<(typeof contentShapes)[name]> };

/** The name of a content file, without `.yaml`. */
export type ContentName = keyof typeof contentShapes;

/** The names of all content files. */
export const contentNames = Object.keys(contentShapes) as ContentName[];

/**
 * Reads the content files.
 *
 * @param texts The text of each file.
 * @throws SyntaxError with every mistake of every file, each in a line as {@link compileFile} says it
 */
export function compileContent(texts: { readonly [name in ContentName]: string }): Content {
  const assets = compileFile("assets", texts.assets, {});
  if (assets.problems.length > 0) throw new SyntaxError(assets.problems.join("\n"));
  const files = contentNames.map((name) => ({ name, ...compileFile(name, texts[name], assets.value) }));
  const problems = files.flatMap((file) => file.problems);
  if (problems.length > 0) throw new SyntaxError(problems.join("\n"));
  return Object.fromEntries(files.map(({ name, value }) => [name, value])) as Content;
}

/**
 * Reads a content file: YAML, Markdown and the notations of README.md become the values that fields hold.
 *
 * @param assets The files that it may name: what assets.yaml holds.
 * @returns The value, which fits the shape of the file where there are no problems, and every problem as
 *   `books.yaml:12:5: series.0.books.0.pages: expected …`
 */
export function compileFile<Name extends ContentName>(
  name: Name,
  text: string,
  assets: Content["assets"],
): { value: Content[Name]; problems: string[] } {
  const problems: string[] = [];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push(`${name}.yaml:${line}:${col}: ${message}`);
  };
  const reportNode = (node: Node | null, message: string) => report(node?.range?.[0] ?? 0, message);
  for (const { pos, message } of document.errors) report(pos[0], message);
  const value = contentValue(document, (asset) => assetOf(assets, asset), reportNode) as Content[Name];
  if (document.errors.length > 0) return { value, problems };
  const { error } = contentShapes[name].safeParse(value);
  for (const { path, message } of error?.issues ?? []) {
    reportNode(nearestNode(document.contents, path), `${path.join(".")}: ${message}`);
  }
  return { value, problems };
}

function assetOf(assets: Content["assets"], name: string): DemoAsset {
  const asset = assets[name];
  if (asset === undefined) throw new RangeError(`assets.yaml has no file ${JSON.stringify(name)}`);
  return cataloguedAsset(name, asset);
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

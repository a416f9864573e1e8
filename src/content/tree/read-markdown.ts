import matter from "gray-matter";
import { OffprintError } from "../../lib/errors.js";

/** A Markdown file as a site generator reads it. */
export interface MarkdownFile {
  data: Record<string, unknown>;
  body: string;
}

function refuse(): never {
  throw new OffprintError("SNAPSHOT_DAMAGED", "Front matter that is a program was not run.", {
    hint: "Only YAML front matter is read.",
  });
}

/** Replaces the engines that would run front matter as a program. */
const engines = Object.fromEntries(
  ["javascript", "js", "coffee", "coffeescript", "cson"].map((name) => [name, { parse: refuse, stringify: refuse }]),
);

/**
 * Reads a Markdown file with YAML front matter.
 *
 * @throws Error when the front matter is not YAML; OffprintError `SNAPSHOT_DAMAGED` when it is a program
 */
export function readMarkdown(text: string): MarkdownFile {
  const file = matter(text.replaceAll("\r\n", "\n"), { engines });
  return { data: file.data, body: file.content };
}

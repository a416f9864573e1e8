import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The Markdown files that people read, as paths from the root: README and its like, the docs, the benchmark. Sorted. */
export function markdownPages(root: string): string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);
  const pages = [...readdirSync(root), ...docs, "bench/README.md"];
  return pages.filter((name) => name.endsWith(".md")).sort();
}

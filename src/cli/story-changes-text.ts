import { printable } from "../lib/printable.js";
import { plural } from "../lib/quantity-text.js";
import type { SyncReport } from "../sync/report.js";
import type { Style, Terminal } from "./terminal.js";

const styles: Readonly<Record<SyncReport["changes"][number]["kind"], Style>> = {
  added: "green",
  changed: "yellow",
  moved: "cyan",
  removed: "red",
};

/** A line for each story that changed: what happened, its full slug, and the editions if only some have the change. */
export function storyChangesText({ paint }: Terminal, { changes, stories }: SyncReport): string[] {
  const lines = changes.map(({ kind, full_slug, from, onlyIn }) => {
    const slug = from === undefined ? full_slug : `${from} → ${full_slug}`;
    const editions = onlyIn.length === 0 ? "" : ` (${onlyIn.map(editionText).join(", ")} only)`;
    return `  ${paint(styles[kind], kind.padEnd(7))}  ${printable(slug + editions)}`;
  });
  const more = stories.added + stories.changed + stories.removed - changes.length;
  if (changes.length > 0 && more > 0)
    lines.push(`  and ${plural(more, "more", "more")}: \`offprint diff\` lists them all`);
  return lines;
}

/** `published/de` → `de`, `draft/default` → `draft`, `draft/de` → `draft de` */
function editionText(name: string): string {
  const [version, ...rest] = name.split("/");
  const language = rest.join("/");
  if (version === "published") return language;
  return language === "default" ? `${version}` : `${version} ${language}`;
}

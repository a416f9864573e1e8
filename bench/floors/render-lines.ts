import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toMarkdown } from "mdast-util-to-markdown";

// The bare loop that rendering is held against: parses each record that read-pages wrote (an uuid list in the third
// argument: those alone), prints one ready tree of the usual size for each, and writes one file for each.
const [dir = "", out = "", only = ""] = process.argv.slice(2);
const tree = fromMarkdown(
  `## content space record index\n\n${paragraph()}\n\n${paragraph()}\n\n* reads writes keeps whole exact small\n* quick change answer content space record\n`,
);
mkdirSync(out, { recursive: true });
const startedMs = performance.now();
let written = 0;
const limit = only === "" ? Number.POSITIVE_INFINITY : Number(only);
for (const file of readdirSync(dir)) {
  if (!file.startsWith("page-") || written >= limit) continue;
  for (const record of JSON.parse(readFileSync(join(dir, file), "utf8")) as unknown[]) {
    if (written >= limit) break;
    const story = JSON.parse(JSON.stringify(record)) as { uuid: string };
    writeFileSync(join(out, `${story.uuid}.md`), `---\nuuid: "${story.uuid}"\n---\n\n${toMarkdown(tree)}`);
    written++;
  }
}
process.stdout.write(JSON.stringify({ written, ms: performance.now() - startedMs }));

function paragraph(): string {
  const text = "content index reads exact small space story writes quick";
  return `${text} **page change** ${text} index [record keeps](https://example.com/page).`;
}

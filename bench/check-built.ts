import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openSnapshot, readPages, type SitePage } from "../src/index.js";
import { commandLine, inFolder, median, run } from "./measure.js";
import type { Bench } from "./row.js";
import { commitStories } from "./space/commit-stories.js";
import { storyAt } from "./space/records.js";

/** A check of a built site, a page a story: processor time and memory of the whole command. */
export const checkBuiltBench: Bench = async ({ short }) =>
  inFolder(async (dir) => {
    const count = short ? 2_000 : 20_000;
    await writeFile(join(dir, "sync.config.yaml"), "source: { url: http://127.0.0.1:9, token: bench }\n");
    await commitStories(
      dir,
      Array.from({ length: count }, (_, n) => storyAt(n)),
    );
    const bytes = await buildSite(join(dir, "output"), join(dir, "dist"));
    const [processorMs, peaks]: [number[], number[]] = [[], []];
    for (let repetition = 0; repetition < 3; repetition++) {
      const { cpuMs, peakBytes, stdout } = await run([commandLine, "check", "--built", "--format", "json"], {
        cwd: dir,
        peak: true,
      });
      if (JSON.parse(stdout).findings.length > 0)
        throw new Error(`The site was built whole:\n${stdout.slice(0, 1000)}`);
      processorMs.push(cpuMs ?? 0);
      peaks.push((peakBytes ?? 0) / 1024 ** 2);
    }
    const [seconds, peak] = [median(processorMs) / 1000, Math.max(...peaks)];
    const name = `check of ${count} built pages`;
    const none = { floor: null, ratio: null };
    const note = `${Math.round(bytes / 1024 / count)} KB a page`;
    return [
      {
        ...{ name: `${name}, processor time`, unit: "s", value: seconds, ...none, note },
        aim: { text: "≤ 20 s", met: seconds <= 20 },
      },
      { name: `${name}, memory`, unit: "MB", value: peak, ...none, aim: { text: "≤ 300 MB", met: peak <= 300 } },
    ];
  });

/** @returns the bytes of all pages */
async function buildSite(output: string, folder: string): Promise<number> {
  const snapshot = await openSnapshot(output);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.html"), pageText({ name: "Home", url: "/" }));
  await writeFile(join(folder, "style.css"), "");
  let bytes = 0;
  for await (const page of readPages(snapshot, { body: true })) {
    const file = join(folder, page.url, "index.html");
    const text = pageText(page);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    bytes += Buffer.byteLength(text);
  }
  await snapshot.close();
  return bytes;
}

/** A menu of a hundred entries, as large sites have it on each page. */
const menu = Array.from(
  { length: 100 },
  (_, n) => `<li class="menu__item"><a class="menu__link" href="/section-${n}/">Section number ${n}</a></li>`,
).join("\n");

function pageText({ name, url, body = "" }: Pick<SitePage, "name" | "url"> & { body?: string | undefined }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title><meta name="generation" content="1">
<link rel="canonical" href="https://www.example.com${url}"><link rel="stylesheet" href="/style.css"></head>
<body><nav><ul>${menu}</ul></nav>
<main><h1>${name}</h1>${body}</main>
<footer><p>All rights are reserved by the press that keeps these pages.</p></footer></body></html>
`;
}

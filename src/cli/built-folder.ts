import { readdir, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { OffprintError } from "../lib/errors.js";

const folders = [
  "dist",
  ".output/public",
  "out",
  "_site",
  ".vitepress/dist",
  "docs/.vitepress/dist",
  "build",
  "public",
];
/** What Next makes of pages where it exports no site to `out`. */
const nextFolder = ".next/server/app";

/** The only folder of a framework that holds a home page; undefined if none does. @throws OffprintError `USAGE` for several */
export async function builtFolder(cwd: string): Promise<string | undefined> {
  const found = new Map<string, string>();
  for (const name of [...folders, nextFolder]) {
    if (name === nextFolder && found.size > 0) continue;
    const path = await realpath(resolve(cwd, name)).catch(() => undefined);
    const names = path === undefined ? [] : await readdir(path).catch(() => []);
    if (path !== undefined && names.includes("index.html") && !found.has(path)) found.set(path, name);
  }
  const [first, ...others] = found.keys();
  if (others.length === 0) return first;
  throw new OffprintError("USAGE", `Several folders hold a built site: ${[...found.values()].join(", ")}.`, {
    hint: `Name the one that is meant: \`--built ${[...found.values()][0]}\`.`,
  });
}

/** @param named `true`: the folder of the framework. @throws OffprintError `USAGE` */
export async function namedBuiltFolder(cwd: string, named: string | true): Promise<string> {
  const folder = named === true ? await builtFolder(cwd) : resolve(cwd, named);
  if (folder !== undefined) return folder;
  throw new OffprintError(
    "USAGE",
    `No built site was found here: none of ${[...folders, nextFolder].join(", ")} has an index.html.`,
    {
      hint: "Build the site first, or name its folder: `offprint check --built <folder>`.",
    },
  );
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAs } from "../../../lib/parse-as.js";
import { anything, list, object, text } from "../../../lib/shape.js";
import type { SiteFiles } from "./site-files.js";

/** A redirect of the built site, and where it is written. */
export interface SiteRedirect {
  file: string;
  from: string;
  to: string;
}

const most = 16 * 1024 * 1024;

/** The redirects of `_redirects` and `redirects.json`; rewrites and rules with a condition or a pattern are left out. */
export async function readRedirects({ folder, names }: SiteFiles): Promise<SiteRedirect[]> {
  const found: SiteRedirect[] = [];
  for (const [file, parse] of [
    ["_redirects", rulesIn],
    ["redirects.json", entriesIn],
  ] as const) {
    if (!names.has(file)) continue;
    const text = await readFile(join(folder, file), "utf8");
    if (text.length > most) continue;
    for (const [from, to] of parse(text)) found.push({ file, from, to });
  }
  return found;
}

function rulesIn(text: string): [string, string][] {
  return text.split("\n").flatMap((line): [string, string][] => {
    const [from = "", to = "", status = "301", ...conditions] = line
      .replace(/(?:^|\s)#.*/, "")
      .trim()
      .split(/\s+/);
    const isPlain = /^30\d!?$/.test(status) && conditions.length === 0 && !/[*]|\/:/.test(from + to);
    return to !== "" && isPlain ? [[from, to]] : [];
  });
}

const redirect = object({ from: text, to: text });

function entriesIn(json: string): [string, string][] {
  const entries = parseAs(json, list(anything)) ?? [];
  return entries.flatMap((one): [string, string][] => (redirect.is(one) ? [[one.from, one.to]] : []));
}

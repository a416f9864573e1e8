import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../../lib/shape.js";
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

function entriesIn(text: string): [string, string][] {
  try {
    const entries: unknown = JSON.parse(text);
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((one): [string, string][] =>
      isObject(one) && typeof one.from === "string" && typeof one.to === "string" ? [[one.from, one.to]] : [],
    );
  } catch {
    return [];
  }
}

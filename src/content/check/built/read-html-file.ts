import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { size } from "../../../lib/quantity-text.js";
import { errnoOf } from "../../../snapshot/store/file-error.js";
import { type HtmlPage, readHtmlPage } from "./html-page.js";

/** A larger HTML file is not read. */
export const largestPage = 8 * 1024 * 1024;

/** An HTML file, and why it could not be read, or not to its end. */
export interface ReadFile {
  page: HtmlPage | undefined;
  unread: string | undefined;
}

/** Waits for the file: handing each of very many small files to other threads takes longer than reading it. */
export function readHtmlFile(folder: string, file: string): ReadFile {
  let bytes: number;
  let html: string | undefined;
  try {
    const handle = openSync(join(folder, file), "r");
    try {
      bytes = fstatSync(handle).size;
      if (bytes <= largestPage) html = readFileSync(handle, "utf8");
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { page: undefined, unread: `It cannot be read (${code}).` };
  }
  if (html === undefined) {
    return { page: undefined, unread: `It has ${size(bytes)}: more than ${size(largestPage)} are not read.` };
  }
  const page = readHtmlPage(html);
  return { page, unread: page.isWhole ? undefined : "It ends within a tag or a comment: it was cut off." };
}

/** At most so many of the files, evenly spread, without those that cannot be read. */
export function samplePages(folder: string, files: readonly string[], most: number): HtmlPage[] {
  const step = Math.max(1, files.length / most);
  const some = Array.from({ length: Math.min(files.length, most) }, (_, at) => files[Math.floor(at * step)]!);
  return some.flatMap((file) => readHtmlFile(folder, file).page ?? []);
}

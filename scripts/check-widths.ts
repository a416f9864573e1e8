import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { BuiltSite } from "./built-site.js";

/** A narrow phone. */
const viewport = { width: 360, height: 740 };

/**
 * The pages of a built site that a phone scrolls sideways. The browser loads HTML and style sheets alone. A page with the
 * styles of the one before takes its place in the same document, which is much faster.
 */
export async function findWidePages(browser: Browser, { folder, pages, files }: BuiltSite): Promise<string[]> {
  const context = await browser.newContext({ viewport });
  await context.route("**/*", async (route) => {
    const file = decodeURI(new URL(route.request().url()).pathname).slice(1);
    const contentType = { html: "text/html", css: "text/css" }[file.split(".").at(-1) ?? ""];
    if (contentType === undefined || !files.has(file)) return route.abort();
    return route.fulfill({ body: await readFile(join(folder, file)), contentType });
  });
  const page = await context.newPage();
  const wide: string[] = [];
  let loaded: string | undefined;
  for (const [file, { refresh }] of pages) {
    if (refresh !== undefined) continue;
    const html = await readFile(join(folder, file), "utf8");
    const styles = (html.match(/<link\b[^>]*\bstylesheet\b[^>]*>|<style[\s\S]*?<\/style>/g) ?? []).join("\n");
    if (styles === "") wide.push(`${file} has no style sheet`);
    if (styles !== loaded) await page.goto(`http://site.example/${encodeURI(file)}`);
    loaded = styles;
    const width = Number(await page.evaluate(`(${show})(${JSON.stringify(html)})`));
    if (width > viewport.width) wide.push(`${file} is ${width} px wide on a phone of ${viewport.width} px`);
  }
  await context.close();
  return wide;
}

/** In the page: shows the body of another, its images as boxes of their size. Returns how wide the page is then. */
const show = `(html) => {
  const { body, documentElement, images } = new DOMParser().parseFromString(html, "text/html");
  for (const image of images) image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
  document.documentElement.lang = documentElement.lang;
  document.body.replaceWith(document.adoptNode(body));
  return document.documentElement.scrollWidth;
}`;

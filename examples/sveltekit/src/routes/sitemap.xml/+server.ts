import { snapshot } from "offprint:content";
import { htmlLanguage } from "../../lib/languages";

const origin = "https://lumenpress.example";
export const prerender = true;

/** Every page of the space, with its other languages. */
export async function GET(): Promise<Response> {
  const entries: string[] = [];
  for (const language of snapshot.languages) {
    for (const { uuid, url } of await snapshot.references({ language, pages: true })) {
      const pages = await snapshot.translations(uuid);
      const links = pages.map((page) => `<xhtml:link rel="alternate" hreflang="${htmlLanguage(page.language)}" href="${escaped(origin + page.url)}"/>`);
      entries.push(`<url><loc>${escaped(origin + url)}</loc>${pages.length > 1 ? links.join("") : ""}</url>`);
    }
  }
  const names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${names}>\n${entries.join("\n")}\n</urlset>\n`;
  return new Response(xml, { headers: { "content-type": "application/xml" } });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

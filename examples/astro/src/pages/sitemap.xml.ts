import type { APIRoute } from "astro";
import { languages, pages } from "../site";

export const GET: APIRoute = ({ site }) => {
  const absolute = (url: string) => new URL(url, site).href.replaceAll("&", "&amp;");
  const urls = pages.map(({ url, translations }) => {
    const links = translations.map(
      (page) =>
        `<xhtml:link rel="alternate" hreflang="${languages[page.language]?.code}" href="${absolute(page.url)}"/>`,
    );
    return `<url><loc>${absolute(url)}</loc>${links.join("")}</url>`;
  });
  const open = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`;
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${open}\n${urls.join("\n")}\n</urlset>\n`);
};

import type { APIRoute } from "astro";
import { codeOf, pages } from "../site";

export const GET: APIRoute = ({ site }) => {
  const absolute = (url: string) => new URL(url, site).href.replaceAll("&", "&amp;");
  const entries = pages.map(({ url, translations }) => {
    const links = translations.map(
      (one) => `<xhtml:link rel="alternate" hreflang="${codeOf(one.language)}" href="${absolute(one.url)}"/>`,
    );
    return `<url><loc>${absolute(url)}</loc>${links.join("")}</url>`;
  });
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join("\n")}
</urlset>
`);
};

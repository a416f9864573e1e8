/** Every page of the space, with its other languages. */
export default defineEventHandler(async (event) => {
  const snapshot = await useSnapshot();
  const entries: string[] = [];
  for (const language of snapshot.languages) {
    for (const { uuid, url } of await snapshot.references({ language, pages: true })) {
      const pages = await snapshot.translations(uuid);
      const links = pages.map(
        (page) => `<xhtml:link rel="alternate" hreflang="${htmlLanguage(page.language)}" href="${escaped(origin + page.url)}"/>`,
      );
      entries.push(`<url><loc>${escaped(origin + url)}</loc>${pages.length > 1 ? links.join("") : ""}</url>`);
    }
  }
  setHeader(event, "content-type", "application/xml");
  const names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${names}>\n${entries.join("\n")}\n</urlset>\n`;
});

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

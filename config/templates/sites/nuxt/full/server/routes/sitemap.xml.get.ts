export default defineEventHandler(async (event) => {
  const snapshot = await useSnapshot();
  const entries: string[] = [];
  for (const language of snapshot.languages) {
    for (const { uuid, url } of await snapshot.references({ language, pages: true })) {
      const links = (await snapshot.translations(uuid)).map(
        (one) => `<xhtml:link rel="alternate" hreflang="${codeOf(one.language)}" href="${absolute(one.url)}"/>`,
      );
      entries.push(`<url><loc>${absolute(url)}</loc>${links.join("")}</url>`);
    }
  }
  setHeader(event, "content-type", "application/xml");
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join("\n")}
</urlset>
`;
});

function absolute(url: string): string {
  return (origin + url).replaceAll("&", "&amp;");
}

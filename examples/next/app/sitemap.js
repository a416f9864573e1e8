import { content, languages, origin } from "../content";

export const dynamic = "force-static";

export default async function sitemap() {
  const snapshot = await content();
  const absolute = (url) => new URL(url, origin).href;
  const entries = [];
  for (const language of snapshot.languages) {
    for (const { url, uuid } of await snapshot.references({ language, pages: true })) {
      const translations = await snapshot.translations(uuid);
      const alternates = translations.map((page) => [languages[page.language].code, absolute(page.url)]);
      entries.push({ url: absolute(url), alternates: { languages: Object.fromEntries(alternates) } });
    }
  }
  return entries;
}

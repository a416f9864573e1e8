import { codeOf, content, origin } from "../content";

export const dynamic = "force-static";

export default async function sitemap() {
  const snapshot = await content();
  const pages = [];
  for (const language of snapshot.languages) {
    for (const { url, uuid } of await snapshot.references({ language, pages: true })) {
      const translations = await snapshot.translations(uuid);
      const languages = Object.fromEntries(translations.map((one) => [codeOf(one.language), origin + one.url]));
      pages.push({ url: origin + url, alternates: { languages } });
    }
  }
  return pages;
}

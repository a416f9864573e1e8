import { error, redirect } from "@sveltejs/kit";
import { snapshot } from "offprint:content";
import { articles, entry, inFolder, inLanguage, journalSize, references } from "../../lib/server/site";
import type { EntryGenerator, PageServerLoad } from "./$types";

/** Every page of the space, the further pages of the journal, and the addresses that pages had before. */
export const entries: EntryGenerator = async () => {
  const paths: string[] = [];
  const journal = await snapshot.story("journal/");
  for (const language of snapshot.languages) {
    for (const { uuid, url } of await snapshot.references({ language, pages: true })) {
      paths.push(url);
      if (uuid !== journal?.uuid) continue;
      const last = Math.ceil((await articles(language)).length / (journalSize(journal) ?? 1));
      for (let number = 2; number <= last; number++) paths.push(`${url}page/${number}/`);
    }
  }
  for (const { from } of await snapshot.redirects()) paths.push(from);
  return paths.map((path) => ({ path: path.replace(/^\/|\/$/g, "") }));
};

export const load: PageServerLoad = async ({ url }) => {
  const [, path = "/", number = "1"] = /^(.*?\/)(?:page\/(\d+)\/)?$/.exec(url.pathname) ?? [];
  const page = await snapshot.page(path, { body: true });
  if (page === undefined) {
    const moved = (await snapshot.redirects()).find(({ from }) => from === url.pathname);
    if (moved !== undefined) redirect(308, moved.to);
    error(404);
  }
  const { content, language } = page;
  const isHome = page.url === (await inLanguage("home", language));
  const size = isHome ? 3 : journalSize(page);
  const all = size === undefined ? [] : await articles(language);
  const at = Number(number);
  return {
    page,
    title: String(content.title || content.headline || page.name),
    translations: at > 1 ? [] : await snapshot.translations(page.uuid),
    articles: size === undefined ? [] : all.slice((at - 1) * size, at * size),
    pages: size === undefined || isHome ? undefined : { at, last: Math.ceil(all.length / size), url: page.url },
    children: size === undefined ? await inFolder(page) : [],
    authors: references(content.authors),
    related: references(content.related),
    binding: content.binding ? await entry("bindings", content.binding, language) : undefined,
  };
};

/** What the page at a path shows, with what is around it: the menu and the home pages, in the language of the path. */
export default defineEventHandler(async (event) => {
  const snapshot = await useSnapshot();
  const path = String(getQuery(event).path ?? "/");
  const [, address = "/", number = "1"] = /^(.*?\/)(?:page\/(\d+)\/?)?$/.exec(path) ?? [, `${path}/`];
  const page = await snapshot.page(address, { body: true });
  const language = page?.language ?? "default";

  const menu = [];
  for (const slug of ["books", "authors", "journal", "shops"]) {
    const url = await inLanguage(`${slug}/`, language);
    if (url !== undefined) menu.push({ label: await entry("labels", `nav.${slug}`, language), url });
  }
  const homes = [];
  for (const one of snapshot.languages) homes.push({ language: one, url: (await inLanguage("home", one)) ?? "/" });
  const around = { language, menu, homes, footer: await entry("labels", "footer.lamp", language), generation: snapshot.generation };
  if (page === undefined) {
    const moved = (await snapshot.redirects()).find(({ from }) => from === path);
    return { around, moved: moved?.to, missing: await entry("labels", "error.404", language) };
  }

  const { body, content, name, published_at, url, uuid } = page;
  const [home, journal] = [await inLanguage("home", language), await inLanguage("journal/", language)];
  const all = url === home || url === journal ? await articles(language) : [];
  const at = Number(number);
  const [from, size] = url === home ? [0, 3] : [(at - 1) * articlesPerPage, articlesPerPage];
  return {
    around,
    page: { body, content, published_at, url, title: String(content.title || content.headline || name) },
    translations: at > 1 ? [] : await snapshot.translations(uuid),
    articles: all.slice(from, from + size),
    pages: url === journal ? { at, last: Math.ceil(all.length / articlesPerPage), url } : undefined,
    children: all.length === 0 ? await inFolder(page) : [],
    authors: references(content.authors),
    related: references(content.related),
    binding: content.binding ? await entry("bindings", content.binding, language) : undefined,
  };
});

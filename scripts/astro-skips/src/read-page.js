const sections = ["books/", "authors/", "journal/", "press/", "help/"];

/** Everything that a page shows, read from `s` alone: the story, the menu, its neighbours in the sidebar, the label. */
export async function readPage(s, { url, language }) {
  const page = await s.page(url, { body: true });
  const prefix = language === "default" ? "" : `${language}/`;
  const folder = page.full_slug.slice(prefix.length).replace(/[^/]*\/?$/, "");
  const menu = await Promise.all(sections.map((slug) => s.story(slug, { language, fields: ["name", "url"] })));
  const sidebar = folder === "" ? [] : await s.references({ language, startsWith: folder });
  const labels = page.is_startpage ? await s.datasource("labels") : [];
  return {
    page: { name: page.name, url: page.url, body: page.body, price: page.content.price ?? "" },
    menu: menu.filter(Boolean).map(({ name, url }) => ({ name, url })),
    sidebar: sidebar.map(({ name, url }) => ({ name, url })),
    translations: await s.translations(page.uuid),
    footer: labels.find(({ name }) => name === "footer.lamp")?.value ?? "",
  };
}

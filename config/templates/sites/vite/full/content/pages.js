/** Where your site will be. */
const origin = "https://www.example.com";

/** The code of the default language of your space, for `lang` and `hreflang`. */
const defaultLanguage = "en";

/** What the list shows: the stories whose slug starts so; "" for all. */
const folder = "";
const storiesPerPage = 20;

/** The addresses of all pages. A segment of dots, which no browser can ask for, has none. */
export async function paths(snapshot) {
  const urls = [...(await lists(snapshot)).map(({ url }) => url), ...(await snapshot.redirects()).map(({ from }) => from)];
  for (const language of snapshot.languages) {
    for (const { url } of await snapshot.references({ language, pages: true })) urls.push(url);
  }
  return [...urls.filter((url) => !/\/(?:\.|%2e)+(?:\/|$)/i.test(url)), "/404.html", "/sitemap.xml"];
}

/** The HTML of the page at a path, or undefined. @param head what it loads: scripts and styles */
export async function pageAt(snapshot, path, head) {
  if (path === "/sitemap.xml") return sitemap(snapshot);
  if (path === "/404.html") return layout({ head, title: "Page not found", main: '<p><a href="/">Home</a></p>' });
  const story = await snapshot.page(path, { body: true });
  if (story !== undefined) {
    const { body, content, language, name, uuid } = story;
    const title = String(content.title || name);
    return layout({ head, title, language, translations: await snapshot.translations(uuid), main: body });
  }
  const list = (await lists(snapshot)).find(({ url }) => url === path);
  if (list !== undefined) return layout({ head, title: "Stories", language: list.language, main: listHtml(list) });
  const moved = (await snapshot.redirects()).find(({ from }) => from === path);
  if (moved === undefined) return undefined;
  return `<!doctype html>\n<html lang="${defaultLanguage}"><meta http-equiv="refresh" content="0; url=${text(moved.to)}">`;
}

function layout({ head, title, language = "default", translations = [], main }) {
  return `<!doctype html>
<html lang="${codeOf(language)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${text(title)}</title>
    ${translations.map((one) => `<link rel="alternate" hreflang="${codeOf(one.language)}" href="${text(origin + one.url)}">`).join("\n    ")}
    ${head}
  </head>
  <body>
    <header class="site-header">
      <nav aria-label="Site"><a href="/">Home</a> <a href="${listUrl(language)}">Stories</a></nav>
      <nav class="languages" aria-label="Languages">${translations.map((one) => link(one.url, codeOf(one.language))).join(" ")}</nav>
    </header>
    <main>
      <h1>${text(title)}</h1>
      ${main}
    </main>
  </body>
</html>
`;
}

function listHtml({ language, number, last, stories }) {
  return `<ul class="entries">${stories.map(({ url, name }) => `<li>${link(url, name)}</li>`).join("\n")}</ul>
<nav class="pages" aria-label="Pages">
  ${number > 1 ? link(listUrl(language, number - 1), "Previous") : ""}
  ${number} / ${last}
  ${number < last ? link(listUrl(language, number + 1), "Next") : ""}
</nav>`;
}

/** The pages of the list, in each language. */
async function lists(snapshot) {
  const pages = [];
  for (const language of snapshot.languages) {
    const all = await snapshot.references({ startsWith: folder, language, pages: true });
    const last = Math.max(1, Math.ceil(all.length / storiesPerPage));
    for (let number = 1; number <= last; number++) {
      const stories = all.slice((number - 1) * storiesPerPage, number * storiesPerPage);
      pages.push({ url: listUrl(language, number), language, number, last, stories });
    }
  }
  return pages;
}

async function sitemap(snapshot) {
  const entries = [];
  for (const language of snapshot.languages) {
    for (const { uuid, url } of await snapshot.references({ language, pages: true })) {
      const links = (await snapshot.translations(uuid)).map(
        (one) => `<xhtml:link rel="alternate" hreflang="${codeOf(one.language)}" href="${text(origin + one.url)}"/>`,
      );
      entries.push(`<url><loc>${text(origin + url)}</loc>${links.join("")}</url>`);
    }
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join("\n")}
</urlset>
`;
}

function codeOf(language) {
  return language === "default" ? defaultLanguage : language;
}

function listUrl(language, number = 1) {
  return `${language === "default" ? "" : `/${language}`}/stories/${number === 1 ? "" : `${number}/`}`;
}

function link(url, label) {
  return `<a href="${text(url)}">${text(label)}</a>`;
}

/** What editors typed is text in a page. Bodies are safe HTML already. */
function text(typed) {
  return typed.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

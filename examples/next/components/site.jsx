import { languages, pageAt, valuesOf } from "../content";

/** The header and the footer around a page. */
export async function Site({ language, path, translations = [], children }) {
  const labels = await valuesOf("labels", language);
  const home = await pageAt("home", language);
  const menu = await Promise.all(
    ["books", "authors", "journal", "events", "shops", "help"].map(async (name) => ({
      page: await pageAt(`${name}/`, language),
      label: labels[`nav.${name}`],
    })),
  );
  return (
    <>
      <header className="site-header">
        <a className="brand" href={home.url}>
          Lumen Press
        </a>
        <nav aria-label="Lumen Press">
          {menu.map(
            ({ page, label }) =>
              page && (
                <a key={page.url} href={page.url} aria-current={page.url === path ? "page" : undefined}>
                  {label}
                </a>
              ),
          )}
        </nav>
        <nav className="languages" aria-label="Languages">
          {translations.map((page) => (
            <a
              key={page.url}
              href={page.url}
              lang={languages[page.language].code}
              hrefLang={languages[page.language].code}
              aria-current={page.language === language ? "true" : undefined}
            >
              {languages[page.language].name}
            </a>
          ))}
        </nav>
      </header>
      <main>{children}</main>
      <footer className="site-footer">
        <p>{labels["footer.lamp"]}.</p>
      </footer>
    </>
  );
}

/*:: import type { ReactNode } from "react"; */
import { codeOf, findPage, listUrl } from "../../content";
import "../style.css";
/*:: */
/*:: type Props = { params: Promise<{ path?: string[] }>; children: ReactNode }; */

export default async function Layout({ params, children }/*: Props */) {
  const { language, translations } = await findPage((await params).path);
  return (
    <html lang={codeOf(language)}>
      <body>
        <header className="site-header">
          <nav aria-label="Site">
            <a href="/">Home</a> <a href={listUrl(language)}>Stories</a>
          </nav>
          <nav className="languages" aria-label="Languages">
            {translations.map((one) => (
              <a key={one.url} href={one.url} aria-current={one.language === language ? "true" : undefined}>
                {codeOf(one.language)}
              </a>
            ))}
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}

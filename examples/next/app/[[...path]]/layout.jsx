import { Site } from "../../components/site";
import { findPage, languages } from "../../content";

export default async function Layout({ params, children }) {
  const { story, path, translations } = await findPage((await params).path);
  const language = story?.language ?? "default";
  return (
    <html lang={languages[language].code}>
      <head>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <Site language={language} path={path} translations={translations}>
          {children}
        </Site>
      </body>
    </html>
  );
}

// The style sheet that `init --site --full` writes: copy it to change it.
import "../../node_modules/offprint/config/templates/sites/style.css";
import { Site } from "../../components/site";
import { findPage, languages } from "../../content";

export default async function Layout({ params, children }) {
  const { story, path, translations } = await findPage((await params).path);
  const language = story?.language ?? "default";
  return (
    <html lang={languages[language].code}>
      <body>
        <Site language={language} path={path} translations={translations}>
          {children}
        </Site>
      </body>
    </html>
  );
}

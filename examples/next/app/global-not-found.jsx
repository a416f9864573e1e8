import "../node_modules/offprint/config/templates/sites/style.css";
import { Site } from "../components/site";
import { content, valuesOf } from "../content";

export default async function NotFound() {
  const labels = await valuesOf("labels", "default");
  return (
    <html lang="en">
      <head>
        <title>{labels["error.404"]}</title>
        <meta name="generation" content={(await content()).generation} />
      </head>
      <body>
        <Site language="default">
          <h1>{labels["error.404"]}</h1>
          <p>
            <a href="/">Lumen Press</a>
          </p>
        </Site>
      </body>
    </html>
  );
}

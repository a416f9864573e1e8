import { codeOf } from "../content";
import "./style.css";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <html lang={codeOf("default")}>
      <body>
        <main>
          <h1>Page not found</h1>
          <p>
            <a href="/">Home</a>
          </p>
        </main>
      </body>
    </html>
  );
}

import { followSnapshot, openSnapshot } from "offprint";
import { pageAt, paths } from "./pages.js";

/** Writes a page for each story, and shows the newest ones in development. */
export function stories() {
  return {
    name: "stories",
    apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const script = files.find(({ isEntry }) => isEntry)?.fileName;
      const styles = files.filter(({ fileName }) => fileName.endsWith(".css"));
      const head = [
        `<script type="module" src="/${script}"></script>`,
        ...styles.map(({ fileName }) => `<link rel="stylesheet" href="/${fileName}">`),
      ].join("\n");
      const snapshot = await openSnapshot();
      for (const path of await paths(snapshot)) {
        const fileName = path.endsWith("ml") ? path.slice(1) : `${decodeURI(path).slice(1)}/index.html`.replace(/^\/|\/(?=\/)/g, "");
        this.emitFile({ type: "asset", fileName, source: await pageAt(snapshot, path, head) });
      }
      await snapshot.close();
    },
    configureServer(server) {
      const newest = followSnapshot();
      const head = '<script type="module" src="/src/main.js"></script>';
      return () => {
        server.middlewares.use(async (request, response) => {
          const path = request.originalUrl.replace(/[?#].*/, "");
          const html = await pageAt(await newest(), path, head);
          response.statusCode = html === undefined ? 404 : 200;
          response.setHeader("content-type", path.endsWith(".xml") ? "application/xml" : "text/html");
          response.end(html && (await server.transformIndexHtml(path, html)));
        });
      };
    },
  };
}

import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** Tags that pages use. Others are placeholders such as `<slug>`, which Vue would take for components. */
const tags = /^(<!--|<\/?(a|b|br|code|em|i|img|kbd|p|strong|sub|sup)\b)/;

/** Lets VitePress read the pages as they are on GitHub. `repository` is where links to other files lead. */
export function readAsIs(md: MarkdownRenderer, root: string, pages: readonly string[], repository: string): void {
  md.core.ruler.push("as-is", ({ tokens, env, Token }) => {
    const folder = dirname(env.realPath ?? env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "html_inline" && !tags.test(token.content)) token.type = "text";
      // Braces of a template language are no expression of Vue.
      if (token.type === "code_inline") token.attrSet("v-pre", "");
      if (token.type === "link_open") leadOut(token, folder);
    }
    for (let at = tokens.length - 1; at >= 0; at--) {
      // For `npm run pages:try` alone. VitePress takes digits and brackets there for lines and a title.
      if (tokens[at]!.type === "fence") tokens[at]!.info = tokens[at]!.info.replace(/ file="[^"]+"/, "");
      const [attribute, title] = / title="([^"]+)"/.exec(tokens[at]!.info) ?? [];
      if (tokens[at]!.type !== "fence" || attribute === undefined) continue;
      tokens[at]!.info = tokens[at]!.info.replace(attribute, "");
      const name = new Token("html_block", "", 0);
      name.content = `<div class="file-name" v-pre>${md.utils.escapeHtml(title!)}</div>\n`;
      tokens.splice(at, 0, name);
    }
  });

  /** Recipes are served as files; other files that are not pages are in the repository. */
  function leadOut(link: Token, folder: string): void {
    const href = link.attrGet("href") ?? "";
    if (/^(\w+:|#|\/)/.test(href)) return;
    const file = join(folder, decodeURI(href.replace(/[#?].*$/, "")));
    const path = relative(root, file);
    // A README is the index of its folder in the site.
    if (path.endsWith("README.md")) link.attrSet("href", href.replace("README.md", "index.md"));
    if (pages.includes(path) || !existsSync(file)) return;
    if (path.startsWith("docs/recipes/")) {
      link.attrSet("href", `/${path}`);
      link.attrSet("target", "_self");
    } else {
      link.attrSet("href", `${repository}/${statSync(file).isDirectory() ? "tree" : "blob"}/main/${path}`);
    }
  }
}

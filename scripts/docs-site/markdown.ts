import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/**
 * Lets the pages be as they are on GitHub: shows the name of a block with `title="path"`, leads a link to a shipped recipe to the
 * copy in the site, and one to another file of the repository to the repository.
 */
export function readAsIs(md: MarkdownRenderer, root: string, pages: readonly string[], repository: string): void {
  md.core.ruler.push("as-is", (state) => {
    const folder = dirname(join(root, String(state.env.realPath ?? state.env.path).replace(`${root}/`, "")));
    const titled: typeof state.tokens = [];
    for (const token of state.tokens) {
      const [attribute, title] = (token.type === "fence" && / title="([^"]+)"/.exec(token.info)) || [];
      if (attribute !== undefined && title !== undefined) {
        token.info = token.info.replace(attribute, "");
        const bar = new state.Token("html_block", "", 0);
        bar.content = `<div class="file-name" v-pre>${md.utils.escapeHtml(title)}</div>\n`;
        titled.push(bar);
      }
      titled.push(token);
      for (const child of token.children ?? []) {
        // A placeholder such as <slug>, which Vue would take for a component.
        if (child.type === "html_inline" && !/^(<!--|<\/?(a|b|br|code|em|i|img|kbd|p|strong|sub|sup)\b)/.test(child.content)) {
          child.type = "text";
        }
        // Braces of a template language are no expression of Vue.
        if (child.type === "code_inline") child.attrSet("v-pre", "");
        const href = child.type === "link_open" && child.attrGet("href");
        if (!href || /^(\w+:|#|\/)/.test(href)) continue;
        const file = join(folder, decodeURI(href.replace(/[#?].*$/, "")));
        const path = relative(root, file);
        if (pages.includes(path) || !existsSync(file)) continue;
        if (path.startsWith("docs/recipes/")) {
          child.attrSet("href", `/${path}`);
          child.attrSet("target", "_self");
        } else {
          child.attrSet("href", `${repository}/${statSync(file).isDirectory() ? "tree" : "blob"}/main/${path}`);
        }
      }
    }
    state.tokens = titled;
  });
}

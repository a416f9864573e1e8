import { useData } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h } from "vue";

/** The page in each of its languages. */
function Languages() {
  const { frontmatter, lang } = useData();
  const pages: { lang: string; url: string }[] = frontmatter.value.translations ?? [];
  const links = pages.map((page) => {
    return h("a", { href: page.url, "aria-current": page.lang === lang.value ? "true" : undefined }, `${page.lang} `);
  });
  return h("nav", { "aria-label": "Languages" }, links);
}

export default { extends: DefaultTheme, Layout: () => h(DefaultTheme.Layout, null, { "doc-before": () => h(Languages) }) };

import { packageFiles } from "../../../lib/package-file.js";
import { filledTemplate } from "./filled-template.js";
import { type Framework, isTypeScript, type Project, type SiteTemplate } from "./framework.js";

/** The files of a site with a page for each story. They replace files of the creator and those of the first page. */
export function fullSite(name: string, { site, full }: Framework, project: Project): SiteTemplate {
  const first = site(project);
  const { config, place, stylesheet, values, starter, inTheWay = [], ...more } = full(project);
  const isTyped = isTypeScript(project);
  const folder = `sites/${name}/full`;
  const firstTexts = new Map(first.files.map(({ path, text }) => [path, text]));
  const isStarter = (path: string) => (there: string) => starter.test(there) || there === firstTexts.get(path);
  const own = packageFiles(`config/templates/${folder}`).map((from) => ({
    from: `${folder}/${from}`,
    path: place?.(from) ?? (isTyped ? from.replace(/\.js(?=x?$)/, ".ts") : from),
  }));
  const shared = stylesheet === undefined ? [] : [{ from: "sites/style.css", path: stylesheet }];
  const files = [...own, ...shared].map(({ from, path }) => ({
    path,
    text: withTypes(filledTemplate(from, values), isTyped),
    isStarter: isStarter(path),
    otherwise: `${path} is yours and stays. Add what is in node_modules/offprint/config/templates/${from}.`,
  }));
  const written = new Set(files.map(({ path }) => path));
  const removed = [...new Set([...firstTexts.keys(), ...inTheWay])].filter((path) => !written.has(path));
  return {
    ...first,
    byHand: [],
    ...more,
    config: { ...first.config, ...config },
    files,
    removed: removed.map((path) => ({ path, isStarter: isStarter(path) })),
    isFull: true,
  };
}

/** Types are in comments: `name/*: string *\/` is `name: string`, and what follows `/*::` is only in TypeScript. */
export function withTypes(text: string, isTyped: boolean): string {
  if (isTyped) return text.replace(/\/\*::\s*(.*?)\s*\*\//g, "$1").replace(/\/\*:\s*(.*?)\s*\*\//g, ": $1");
  return text.replace(/^\/\*::.*\*\/\n/gm, "").replace(/ *\/\*::?.*?\*\//g, "");
}

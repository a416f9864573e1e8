// Tells Hugo the languages of the space, and where their pages are. Runs after each sync, before Hugo.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { openSnapshot } from "offprint";

const [, defaultLanguage = "en"] = /^defaultContentLanguage = "(.*?)"/m.exec(await readFile("hugo.toml", "utf8")) ?? [];
const snapshot = await openSnapshot();
const folder = snapshot.version === "draft" ? "cms/markdown/draft" : "cms/markdown";
const languages = [];
// Once there are mounts, Hugo has to know each of its folders.
const mounts = ["static", "layouts", "assets", "data", "i18n", "archetypes"].map((name) => mount(name, name));
// offprint.json names the generation that the site shows.
mounts.push(mount("cms/index.json", "static/offprint.json"));
for (const [at, language] of snapshot.languages.entries()) {
  const code = language === "default" ? defaultLanguage : language;
  languages.push(`[${code}]\nlanguageName = "${code}"\nweight = ${at + 1}\n`);
  if (language === "default") languages.push(`[${code}.outputs]\nhome = ["HTML", "Redirects"]\n`);
  mounts.push(mount(`${folder}/${language}`, "content", code), mount("content", "content", code));
}
await snapshot.close();

await mkdir("config/_default", { recursive: true });
await writeFile("config/_default/languages.toml", languages.join(""));
await writeFile("config/_default/module.toml", mounts.join(""));

function mount(source, target, language) {
  const lang = language === undefined ? "" : `lang = "${language}"\n`;
  return `[[mounts]]\nsource = "${source}"\ntarget = "${target}"\n${lang}`;
}

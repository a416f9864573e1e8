import { snapshot } from "offprint:content";
import { entry, inLanguage } from "../lib/server/site";
import type { LayoutServerLoad } from "./$types";

/** What is around every page: the menu and the home pages, in the language of the path. */
export const load: LayoutServerLoad = async ({ url }) => {
  const first = url.pathname.split("/")[1] ?? "";
  const language = snapshot.languages.includes(first) ? first : "default";
  const menu = [];
  for (const slug of ["books", "authors", "journal", "shops"]) {
    const address = await inLanguage(`${slug}/`, language);
    if (address !== undefined) menu.push({ label: await entry("labels", `nav.${slug}`, language), url: address });
  }
  const homes = [];
  for (const one of snapshot.languages) homes.push({ language: one, url: (await inLanguage("home", one)) ?? "/" });
  return { language, menu, homes, footer: await entry("labels", "footer.lamp", language), generation: snapshot.generation };
};

import type { Handle } from "@sveltejs/kit";
import { snapshot } from "offprint:content";
import { htmlLanguage } from "./lib/languages";

/** The language of a page is the beginning of its path. */
export const handle: Handle = ({ event, resolve }) => {
  const first = event.url.pathname.split("/")[1] ?? "";
  const lang = htmlLanguage(snapshot.languages.includes(first) ? first : "default");
  return resolve(event, { transformPageChunk: ({ html }) => html.replace("%lang%", lang) });
};

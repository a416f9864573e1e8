import { snapshot } from "offprint:content";
import { codeOf } from "./lib/site";
/*:: import type { Handle } from "@sveltejs/kit"; */

/** A path begins with its language. app.html has the language of no page. */
export const handle/*: Handle */ = ({ event, resolve }) => {
  const first = event.url.pathname.split("/")[1] ?? "";
  const lang = codeOf(snapshot.languages.includes(first) ? first : "default");
  return resolve(event, { transformPageChunk: ({ html }) => html.replace(/<html[^>]*>/, `<html lang="${lang}">`) });
};

import { error, redirect } from "@sveltejs/kit";
import { snapshot } from "offprint:content";
import { lists } from "../../lib/server/lists";
/*:: import type { PageServerLoad } from "./$types"; */

export const prerender = true;
/** As resolve.links.pattern of sync.config.yaml, so that every host finds the files. */
export const trailingSlash = "always";

/** Every story, the pages of the list, and the addresses that stories had before. */
export const entries = async () => {
  const paths = [...(await lists()).map(({ url }) => url), ...(await snapshot.redirects()).map(({ from }) => from)];
  for (const language of snapshot.languages) {
    for (const { url } of await snapshot.references({ language, pages: true })) paths.push(url);
  }
  return paths.map((path) => ({ path: path.replace(/^\/|\/$/g, "") }));
};

export const load/*: PageServerLoad */ = async ({ url: { pathname } }) => {
  const story = await snapshot.page(pathname, { body: true });
  if (story !== undefined) {
    const { body, content, language, name, uuid } = story;
    return { title: String(content.title || name), language, body, translations: await snapshot.translations(uuid) };
  }
  const list = (await lists()).find(({ url }) => url === pathname);
  if (list !== undefined) return { title: "Stories", language: list.language, list, translations: [] };
  const moved = (await snapshot.redirects()).find(({ from }) => from === pathname);
  if (moved !== undefined) redirect(308, moved.to);
  error(404);
};

/** What is at a path: a story, a page of the list, or the address that a story had before. */
export default defineEventHandler(async (event) => {
  const snapshot = await useSnapshot();
  const path = String(getQuery(event).path);
  const story = await snapshot.page(path, { body: true });
  if (story !== undefined) {
    const { body, content, language, name, uuid } = story;
    const title = String(content.title || name);
    return { title, language, translations: await snapshot.translations(uuid), body };
  }
  for (const language of snapshot.languages) {
    const list = (await listPages(snapshot, language)).find(({ url }) => url === path);
    if (list !== undefined) return { title: "Stories", language, translations: [], list };
  }
  return { moved: (await snapshot.redirects()).find(({ from }) => from === path)?.to };
});

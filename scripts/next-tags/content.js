import { siteSnapshot } from "offprint/next";

export const content = siteSnapshot();

/** Everything that a page shows: the story, with what it names, and its neighbours. */
export async function readPage(s, path) {
  const page = await s.page(path, { body: true, depth: 1 });
  if (page === undefined) return { name: "gone" };
  const folder = page.full_slug.replace(/[^/]*\/?$/, "");
  const neighbours = folder === "" ? [] : await s.references({ startsWith: folder });
  const labels = page.is_startpage ? ((await s.datasource("labels")) ?? []) : [];
  return {
    name: page.name,
    content: page.content,
    body: page.body,
    neighbours: neighbours.map(({ name, url }) => ({ name, url })),
    labels: labels.map(({ name, value }) => ({ name, value })),
  };
}

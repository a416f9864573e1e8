import { openSnapshot } from "offprint";

export const prerender = true;

/** The stories of the default language, as `offprint sync` read them. */
export async function load() {
  const snapshot = await openSnapshot();
  const stories = await snapshot.references({ pages: true });
  await snapshot.close();
  return { stories: stories.map(({ uuid, name, url }) => ({ uuid, name, url })) };
}

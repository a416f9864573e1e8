import { openSnapshot } from "offprint";

/** The stories of the default language, as `offprint sync` read them. */
export default {
  async load() {
    const snapshot = await openSnapshot();
    const stories = await snapshot.references({ pages: true });
    await snapshot.close();
    return stories.map(({ uuid, name, url }) => ({ uuid, name, url }));
  },
};

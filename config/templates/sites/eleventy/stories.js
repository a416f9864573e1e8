import { openSnapshot } from "offprint";

/** The stories of the default language, as `offprint sync` read them. */
export default async function stories() {
  const snapshot = await openSnapshot();
  const references = await snapshot.references({ pages: true });
  await snapshot.close();
  return references;
}

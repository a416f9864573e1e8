import type { LoadHook } from "node:module";

let last: Promise<unknown> = Promise.resolve();

/** A hook of Node's module loader: reads modules one by one, so that few files are open at a time. */
export const load: LoadHook = (url, context, nextLoad) => {
  const loaded = last.then(() => nextLoad(url, context));
  last = loaded.catch(() => undefined);
  return loaded;
};

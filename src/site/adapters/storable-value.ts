import type { LoaderContext } from "./astro-content.js";

/**
 * The value without fields named `__proto__`, at any depth: Astro's store ends the build where one is in it.
 *
 * @param onLeftOut called for each field that is left out
 */
export function storableValue<T>(value: T, onLeftOut: () => void): T;
export function storableValue(value: unknown, onLeftOut: () => void): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => storableValue(one, onLeftOut));
  const fields = Object.entries(value).filter(([name]) => {
    if (name === "__proto__") onLeftOut();
    return name !== "__proto__";
  });
  return Object.fromEntries(fields.map(([name, field]) => [name, storableValue(field, onLeftOut)]));
}

/** Tells the first field of a collection that cannot be stored. */
export function warnOnce({ collection, logger }: LoaderContext): (where: string) => void {
  let isTold = false;
  return (where) => {
    if (isTold) return;
    isTold = true;
    logger.warn(
      `${collection}: ${where} has a field named __proto__, which Astro cannot store: such fields are left out`,
    );
  };
}

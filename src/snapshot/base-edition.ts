/** The code that stands for the space's base language. */
export const defaultLanguage = "default";

/**
 * The edition of a version whose records have the tags and alternates, and that the other languages are brought up to
 * date with: the default language where it is read, else the first one.
 * @param editions of one version; at least one
 */
export function baseEdition<E extends { language: string }>(editions: readonly E[]): E {
  const base = editions.find(({ language }) => language === defaultLanguage) ?? editions[0];
  if (base === undefined) throw new RangeError("there is no edition");
  return base;
}

/** The code of the space's base language. */
export const defaultLanguage = "default";

/** The edition with tags and alternates: the default language if it is read, else the first. */
export function baseEdition<E extends { language: string }>(editions: readonly E[]): E {
  const base = editions.find(({ language }) => language === defaultLanguage) ?? editions[0];
  if (base === undefined) throw new RangeError("there is no edition");
  return base;
}

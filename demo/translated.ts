import type { Language } from "./space.js";

/** The key that tells a value with translations from every other value of content. */
const key = "$translated";

/** A value that differs by language. It stands in content where a plain value could stand. */
export interface Translated<T = unknown> {
  readonly [key]: { readonly default: T } & { readonly [language in Language]?: T | undefined };
}

/** A text, or a text that differs by language. */
export type Text = string | Translated<string>;

/** A value in English, with its translations. A missing translation reads as the English one. */
export function translated<T>(
  english: T,
  translations: { readonly [language in Language]?: T | undefined },
): Translated<T> {
  return { [key]: { default: english, ...translations } };
}

/** Whether the value differs by language. */
export function isTranslated(value: unknown): value is Translated {
  return typeof value === "object" && value !== null && key in value;
}

/** The value in a language; a value without translations is the same in all of them. */
export function inLanguage<T>(value: T | Translated<T>, language: Language | "default"): T {
  if (!isTranslated(value)) return value as T;
  const known = value[key];
  return (known[language] ?? known.default) as T;
}

/** The translation of a value into a language; undefined where it has none. */
export function translationOf<T>(value: T | Translated<T>, language: Language): T | undefined {
  return isTranslated(value) ? (value[key][language] as T | undefined) : undefined;
}

/** The value with a translation into one more language, or another one in its place. */
export function withTranslation<T>(value: T | Translated<T>, language: Language, translation: T): Translated<T> {
  const known = isTranslated(value) ? (value as Translated<T>)[key] : { default: value };
  return { [key]: { ...known, [language]: translation } };
}

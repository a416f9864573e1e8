import type { Language } from "./space.js";

const translations = Symbol("translations");

/** A value that differs by language. It stands in content where a plain value could stand. */
export interface Translated<T = unknown> {
  readonly [translations]: { readonly default: T } & { readonly [language in Language]?: T };
}

/** A text, or a text that differs by language. */
export type Text = string | Translated<string>;

/** A value in English, German and Brazilian Portuguese. A missing translation reads as the English one. */
export function t<T>(english: T, german?: T, portuguese?: T): Translated<T> {
  return {
    [translations]: {
      default: english,
      ...(german === undefined ? {} : { de: german }),
      ...(portuguese === undefined ? {} : { "pt-br": portuguese }),
    },
  };
}

/** Whether the value differs by language. */
export function isTranslated(value: unknown): value is Translated {
  return typeof value === "object" && value !== null && translations in value;
}

/** The value in a language; a value without translations is the same in all of them. */
export function inLanguage<T>(value: T | Translated<T>, language: Language | "default"): T {
  if (!isTranslated(value)) return value as T;
  const known = value[translations];
  return (known[language] ?? known.default) as T;
}

/** The translation of a value into a language; undefined where it has none. */
export function translationOf<T>(value: T | Translated<T>, language: Language): T | undefined {
  return isTranslated(value) ? (value[translations][language] as T | undefined) : undefined;
}

/** The value with a translation into one more language, or another one in its place. */
export function withTranslation<T>(value: T | Translated<T>, language: Language, translation: T): Translated<T> {
  const known = isTranslated(value) ? (value as Translated<T>)[translations] : { default: value };
  return { [translations]: { ...known, [language]: translation } };
}

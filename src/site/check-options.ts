import { nearestName } from "../config/schema/nearest-name.js";
import { OffprintError } from "../lib/errors.js";
import {
  flag,
  isObject,
  list,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  shape,
  text,
  wholeNumber,
} from "../lib/shape.js";
import type {
  EditionOptions,
  OpenSnapshotOptions,
  ReadOptions,
  StoreOptions,
  StoryFilter,
  StoryKey,
} from "./snapshot.js";

type OptionShapes<T> = { readonly [K in keyof Required<T>]: Shape<NonNullable<T[K]>> };

function either<A, B>(expected: string, a: Shape<A>, b: Shape<B>): Shape<A | B> {
  return shape(expected, (value) => a.is(value) || b.is(value));
}

/** Of `translations`, which takes no notice of the language. */
export const editionOptions: OptionShapes<EditionOptions> = {
  version: oneOf("published", "draft"),
  release: text,
  language: text,
};

/** Of `openSnapshot`. */
export const openOptions: OptionShapes<OpenSnapshotOptions> = {
  ...editionOptions,
  generation: either("pinned, latest or a number", oneOf("pinned", "latest"), wholeNumber),
  config: text,
  links: object<{ pattern?: string; home?: string }>({}),
  assetBaseUrl: text,
  relations: either("all, none or a list of texts", oneOf("all", "none"), list(text)),
  depth: wholeNumber,
  cacheBytes: number,
  store: object<StoreOptions>({
    endpoint: optional(text),
    region: optional(text),
    pathStyle: optional(flag),
    profile: optional(text),
    cacheDir: optional(text),
    intervalMs: optional(number),
  }),
};

/** Of `story`, `page` and `stories`. */
export const readOptions: OptionShapes<ReadOptions> = {
  ...editionOptions,
  depth: wholeNumber,
  resolve: flag,
  richText: oneOf("document", "html", "markdown", "text"),
  body: flag,
  fields: list(text),
};

/** Of `stories` and `references`. */
export const filterOptions: OptionShapes<StoryFilter> = {
  ...editionOptions,
  component: either("a text or a list of texts", text, list(text)),
  startsWith: text,
  term: either("a text or a list of texts", text, list(text)),
  pages: flag,
  order: oneOf("slug", "stored"),
};

/** No compiler checks plain JavaScript. @throws OffprintError `USAGE`, which lists all mistakes */
export function checkOptions<T>(question: string, options: unknown, shapes: OptionShapes<T>): void {
  if (!isObject(options)) throw refused(question, [`its options are ${shown(options)}, not an object`], shapes);
  const named: Readonly<Record<string, Shape<unknown>>> = shapes;
  const wrong = Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(named, name)) return [`unknown option ${shown(name)}`];
    const misfit = value === undefined ? undefined : named[name]?.misfit(value);
    return misfit === undefined ? [] : [`${name} is ${shown(value)}, but should be ${misfit.expected}`];
  });
  if (wrong.length > 0) throw refused(question, wrong, shapes);
}

/** @throws OffprintError `USAGE` if it is not a story key */
export function checkKey(question: string, key: unknown): asserts key is StoryKey {
  const isKey = (value: unknown) => text.is(value) || (isObject(value) && (text.is(value.uuid) || text.is(value.slug)));
  if (isKey(key)) return;
  throw new OffprintError("USAGE", `${question} was called with ${shown(key)}.`, {
    hint: "Pass a slug or a uuid as a text, or { uuid } or { slug }.",
  });
}

/** @throws OffprintError `USAGE` if it is not a text */
export function checkText(question: string, value: unknown): asserts value is string {
  if (text.is(value)) return;
  throw new OffprintError("USAGE", `${question} was called with ${shown(value)}, which is not a text.`, {
    hint: "Check where the value comes from: the route parameter may have another name.",
  });
}

function refused(question: string, wrong: readonly string[], shapes: object): OffprintError {
  return new OffprintError("USAGE", `${question}: ${wrong.join("; ")}.`, {
    hint: `Valid options: ${Object.keys(shapes).join(", ")}.`,
  });
}

const charactersShown = 80;

function shown(value: unknown): string {
  const printed = typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value);
  return printed.length > charactersShown ? `${printed.slice(0, charactersShown)}…` : printed;
}

/** Warnings already given: a build asks the same question for every page. */
const told = new Set<string>();

/** More names than this are route values, not mistakes in a template. */
const mostWarnings = 50;

/** Warns once with `UNKNOWN_NAME`: the answer is empty, which would hide a typo in the name. */
export function warnUnknown(question: string, kind: string, name: string, known: readonly string[]): void {
  const meant = nearestName(name, known);
  const has = known.length === 0 ? `It has no ${kind} at all.` : `It has ${known.slice(0, 20).join(", ")}.`;
  const advice = meant === undefined ? has : `Did you mean ${meant}?`;
  const message = `${question}: the snapshot has no ${kind} ${JSON.stringify(name.slice(0, 80))}. ${advice}`;
  if (told.has(message) || told.size >= mostWarnings) return;
  told.add(message);
  process.emitWarning(message, "OffprintWarning", "UNKNOWN_NAME");
}

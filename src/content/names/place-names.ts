import type { Config } from "../../config/config.js";
import { inMap } from "../../lib/collections/in-map.js";
import type { ProblemPlace } from "../../lib/errors.js";
import { orUndefined } from "../../lib/or-undefined.js";
import { isObject } from "../../lib/shape.js";
import { parts } from "../../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../../snapshot/manifest.js";
import { readRecords } from "../../snapshot/read-records.js";
import type { Store } from "../../snapshot/store/store.js";
import { editorAddress } from "./editor-address.js";
import { fieldTitle } from "./field-title.js";
import { type KnownStory, knownStories } from "./known-stories.js";
import { linkText, savedSlug } from "./link-text.js";

/** What an editor calls a place in the content, and what it names. */
export interface PlaceNames {
  story: { name: string; slug: string };
  /** `Body › Teaser 2 › Link` */
  field?: string;
  /** The text of the link. */
  link?: string;
  /** The slug that the link has saved of its target, if nothing knows that. */
  saved?: string;
  /** The story that the field names, if the snapshot or a kept generation knows it. */
  target?: KnownStory;
  /** Address of the story in the platform's editor. */
  editor?: string;
}

export interface NamingSource {
  store: Store;
  manifest: Manifest;
  config: Pick<Config, "editor">;
}

/** Stories that are read for their names, fields and links, at most. */
const mostNamedStories = 1000;
const readAtOnce = 20;

/** Adds names to what is about to be told, as far as {@link placeNames} has them. @param messageOf a message with names */
export async function withNames<T extends object>(
  source: NamingSource,
  told: readonly T[],
  placeOf: (one: T) => ProblemPlace | undefined,
  messageOf: (one: T, names: PlaceNames) => string,
): Promise<(T & { names?: PlaceNames & { message: string } })[]> {
  const placed = told.map((one) => ({ one, place: placeOf(one) }));
  const places = placed.flatMap(({ place }) => place ?? []);
  const named = places.length === 0 ? undefined : await placeNames(source, places);
  return placed.map(({ one, place }) => {
    const names = place && named?.get(place);
    return names === undefined ? one : { ...one, names: { message: messageOf(one, names), ...names } };
  });
}

/**
 * Names places that are about to be told. Reads the first 1000 stories, and looks up the first 50 targets. A place in
 * any other story, or in one that cannot be read, is not in the result.
 */
async function placeNames<P extends ProblemPlace>(
  { store, manifest, config }: NamingSource,
  places: readonly P[],
): Promise<Map<P, PlaceNames>> {
  const named = new Map<P, PlaceNames>();
  const targets = await knownStories(
    store,
    manifest,
    places.flatMap(({ target }) => target ?? []),
  );
  const ofStory = new Map<string, P[]>();
  for (const place of places) inMap(ofStory, `${place.edition} ${place.story}`, () => []).push(place);
  await eachStory(store, manifest, places, (edition, uuid, line) => {
    const record: unknown = JSON.parse(line);
    if (!isObject(record)) return;
    const story = { name: textOf(record.name), slug: textOf(record.full_slug) };
    const id = typeof record.id === "number" ? record.id : textOf(record.id);
    const { language } = edition;
    const editor = editorAddress(config.editor.url, manifest.space, { id, uuid, full_slug: story.slug, language });
    for (const place of ofStory.get(`${edition.name} ${uuid}`) ?? []) {
      const { field, target } = place;
      const link = field === undefined ? undefined : linkText(record.content, field);
      const known = target === undefined ? undefined : targets.get(target);
      const isUnknown = target !== undefined && known === undefined && field !== undefined;
      const saved = isUnknown ? savedSlug(record.content, field) : undefined;
      named.set(place, {
        story,
        ...(field === undefined ? {} : { field: fieldTitle(record.content, field) }),
        ...(link === undefined ? {} : { link }),
        ...(saved === undefined ? {} : { saved }),
        ...(known === undefined ? {} : { target: known }),
        ...(editor === undefined ? {} : { editor }),
      });
    }
  });
  return named;
}

async function eachStory(
  store: Store,
  manifest: Manifest,
  places: readonly ProblemPlace[],
  visit: (edition: EditionEntry, uuid: string, line: string) => void,
): Promise<void> {
  const told = [...new Set(places.map(({ edition, story }) => JSON.stringify([edition, story])))];
  const pairs = told.slice(0, mostNamedStories).map((pair) => JSON.parse(pair) as [string, string]);
  for (const edition of manifest.editions) {
    const part = parts.stories(edition.name);
    const uuids = pairs.flatMap(([name, uuid]) => (name === edition.name ? [uuid] : [])).sort();
    for (let at = 0; at < uuids.length; at += readAtOnce) {
      const wanted = new Set(uuids.slice(at, at + readAtOnce));
      // A damaged shard is reported by those who look for damage.
      const lines = await orUndefined(readRecords(store, part, manifest.parts[part], wanted));
      for (const [uuid, line] of lines ?? []) visit(edition, uuid, line);
    }
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

import { trimSlashes } from "../../contract/story-address.js";
import { OffprintError } from "../../lib/errors.js";
import { memberText } from "../../lib/json/member.js";
import { uuid as uuidShape } from "../../lib/shape.js";
import { parts } from "../layout.js";
import type { EditionEntry, Manifest } from "../manifest.js";
import { readShards } from "../read-part.js";
import { readRecords } from "../read-records.js";
import type { Store } from "../store/store.js";

export interface EditionChoice {
  /** Default: `default`. */
  language?: string | undefined;
  /** Default: published, if the generation has it. */
  version?: "published" | "draft" | undefined;
}

/** The edition in a language. @throws OffprintError `USAGE` if the generation has none */
export function chosenEdition({ editions, generation }: Manifest, choice: EditionChoice): EditionEntry {
  const { language = "default", version } = choice;
  const found = editions.filter((one) => one.release === null && one.language === language);
  const wanted = found.filter((one) => version === undefined || one.version === version);
  const edition = wanted.find((one) => one.version === "published") ?? wanted[0];
  if (edition !== undefined) return edition;
  const asked = `${version === undefined ? "" : `${version} `}edition in the language ${language}`;
  throw new OffprintError("USAGE", `Generation ${generation} has no ${asked}.`, {
    hint: `It has ${editions.map(({ name }) => name).join(", ")}.`,
  });
}

/** A story's canonical JSON in one edition, if there. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function storedStory(
  store: Store,
  manifest: Manifest,
  edition: string,
  uuid: string,
): Promise<string | undefined> {
  return uuidShape.is(uuid) ? storedRecord(store, manifest, parts.stories(edition), uuid) : undefined;
}

/** The canonical JSON of the record with a key, if there. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function storedRecord(
  store: Store,
  { parts: all }: Pick<Manifest, "parts">,
  part: string,
  key: string,
): Promise<string | undefined> {
  return (await readRecords(store, part, all[part], new Set([key]))).get(key);
}

/**
 * The story that a person names: a uuid, or a full slug with or without outer slashes and language,
 * also the default language's. The closest match wins.
 */
export async function uuidOfStory(
  store: Store,
  manifest: Manifest,
  { name, language }: Pick<EditionEntry, "name" | "language">,
  slugOrUuid: string,
): Promise<string | undefined> {
  const part = parts.stories(name);
  const known = await storedStory(store, manifest, name, slugOrUuid);
  if (known !== undefined) return slugOrUuid;
  const wanted = trimSlashes(slugOrUuid);
  let nearest: { uuid: string; rank: number } | undefined;
  for await (const lines of readShards(store, part, manifest.parts[part])) {
    for (const { key: uuid, line } of lines) {
      const rank = slugsOf(line, language).indexOf(wanted);
      if (rank === 0) return uuid;
      if (rank > 0 && rank < (nearest?.rank ?? Number.POSITIVE_INFINITY)) nearest = { uuid, rank };
    }
  }
  return nearest?.uuid;
}

/** The full slugs of an edition's stories, without outer slashes. */
export async function* fullSlugs(
  store: Store,
  manifest: Manifest,
  { name }: Pick<EditionEntry, "name">,
): AsyncGenerator<string> {
  const part = parts.stories(name);
  for await (const lines of readShards(store, part, manifest.parts[part])) {
    for (const { line } of lines) yield trimSlashes(memberText(line, "full_slug") ?? "");
  }
}

/** A story's slugs in a language, without outer slashes: its own full slug first. */
export function slugsOf(line: string, language: string): string[] {
  const slugIn = (member: string) => trimSlashes(memberText(line, member) ?? "");
  const own = slugIn("full_slug");
  if (language === "default") return [own];
  const isPrefixed = own === language || own.startsWith(`${language}/`);
  return [own, isPrefixed ? own.slice(language.length + 1) : own, slugIn("default_full_slug") || own];
}

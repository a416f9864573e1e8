import { translationState } from "../../../content/diff/translation-state.js";
import { publicationOf } from "../../../content/render/story-facts.js";
import { Lru } from "../../../lib/collections/lru.js";
import { within } from "../../../lib/concurrency/within.js";
import { parts } from "../../../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import { chosenEdition } from "../../../snapshot/reader/stored-story.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { Sliced } from "../../replica/query/slices.js";
import type { StoryRows } from "../../replica/query/story-rows.js";
import { perGeneration } from "./per-generation.js";

/** What a story is in a language (docs/explorer.md, "Languages"). Its place here is its number in a list of states. */
export const languageStates = ["", "draft", "changed", "missing", "same"] as const;
export type LanguageState = (typeof languageStates)[number];
const [draft, changed, missing, same] = [1, 2, 3, 4] as const;

/** The place in {@link languageStates} of each row's state; 0: none of them. */
type RowStates = Uint8Array;

const known = perGeneration<RowStates>(128);

/**
 * The states of an edition's rows, compared with another language in the same version, or without one with what is
 * published in its own language.
 * @throws OffprintError `USAGE` if the generation lacks the other edition
 */
export function rowStates(view: GenerationView, edition: EditionEntry, language = ""): Promise<RowStates> {
  const choice = language === "" ? { ...edition, version: "published" as const } : { ...edition, language };
  const found = chosenEdition(view.reader.manifest, choice);
  return known(view, `${edition.name} ${found.name}`, async () => {
    await view.stories(found.name).prepareUuids();
    return view.slices.run(
      compareRows(view, edition.name, found.name, language === "" ? "publication" : "translation"),
    );
  });
}

/** Rows compared between two yields. */
const atOnce = 16;

/** The states of a shard's rows, by the hashes of the shards that they follow from: generations share most shards. */
const ofShards = new Lru<string, RowStates>(1 << 25, ({ length }, key) => length + key.length);

function* compareRows(
  view: GenerationView,
  edition: string,
  other: string,
  comparison: keyof typeof stateOfRow,
): Sliced<RowStates> {
  const [rows, others] = [view.stories(edition), view.stories(other)];
  const uuid = (yield* rows.prepare([["uuid"]])).field(["uuid"]);
  const states = new Uint8Array(rows.count);
  let row = 0;
  for (const [at, { starts }] of view.reader.shards(parts.stories(edition)).entries()) {
    const key = `${comparison} ${comparedHashes(view, edition, other, at)}`;
    const [first, before] = [row, ofShards.get(key)];
    if (before !== undefined) states.set(before, first);
    for (row = before === undefined ? first : first + starts.length; row < first + starts.length; row++) {
      states[row] = stateOfRow[comparison](rows, row, others, others.rowOf(String(uuid(row))));
      if (row % atOnce === 0) yield;
    }
    ofShards.set(key, before ?? states.slice(first, row));
    yield;
  }
  return states;
}

/** The hashes of a shard, and of the other edition's shards that may have its stories. */
function comparedHashes({ reader }: GenerationView, edition: string, other: string, at: number): string {
  const shardsOf = (name: string) => reader.manifest.parts[parts.stories(name)]?.shards ?? [];
  const own = shardsOf(edition)[at]!;
  const overlapping = shardsOf(other).filter(
    ({ prefix }) => prefix.startsWith(own.prefix) || own.prefix.startsWith(prefix),
  );
  return [own, ...overlapping].map(({ hash }) => hash).join(" ");
}

/** The state of a row, compared with the row of the same story among others; undefined: not there. */
type RowState = (rows: StoryRows, row: number, others: StoryRows, other: number | undefined) => number;

const rowTranslation: RowState = (rows, row, others, other) => {
  const state = translationState(rows.bytes(row), other === undefined ? undefined : others.bytes(other));
  return state === "translated" ? 0 : languageStates.indexOf(state);
};

/** First in a block, or not. */
const editable = /,"_editable":"(?:[^"\\]|\\.)*"|"_editable":"(?:[^"\\]|\\.)*",?/g;

const rowPublication: RowState = (rows, row, others, other) => {
  if (other === undefined) return draft;
  const [own, published] = [rows.text(row), others.text(other)];
  // Most stories are published as they are: found without parsing them.
  if (own.replace(editable, "") === published) return 0;
  return publicationOf(JSON.parse(own), JSON.parse(published)) === "changed" ? changed : 0;
};

const stateOfRow = { publication: rowPublication, translation: rowTranslation };

/** The stories of a language by state. Null: the snapshot does not have what would be compared. */
export type LanguageCounts = { language: string; published: number | null } & Record<
  Exclude<LanguageState, "">,
  number | null
>;

/** The version in which languages are compared: drafts, if the snapshot has them, since they are all stories. */
export function comparedVersion({ editions }: Manifest): EditionEntry["version"] {
  return editions.some(({ version, release }) => version === "draft" && release === null) ? "draft" : "published";
}

/** Returns the languages counted within `waitMs` milliseconds, one after the other; a later call returns more. */
export async function languageCounts(
  view: GenerationView,
  languages: readonly string[],
  waitMs: number,
): Promise<LanguageCounts[]> {
  const counted: LanguageCounts[] = [];
  const work = async () => {
    for (const language of languages) counted.push(await countLanguage(view, language));
  };
  await within(waitMs, work());
  return [...counted];
}

async function countLanguage(view: GenerationView, language: string): Promise<LanguageCounts> {
  const { manifest } = view.reader;
  const version = comparedVersion(manifest);
  const find = (version: EditionEntry["version"], language: string) =>
    manifest.editions.find((one) => one.version === version && one.language === language && one.release === null);
  const [published, drafts] = [find("published", language), find("draft", language)];
  const [ofDefault, own] = [find(version, "default"), find(version, language)];
  const hasOther = language !== "default" && ofDefault !== undefined && own !== undefined;
  const publication = published && drafts ? await rowStates(view, drafts) : undefined;
  const translation = hasOther ? await rowStates(view, ofDefault, language) : undefined;
  const count = (states: RowStates | undefined, wanted: number) =>
    states?.reduce((sum, state) => sum + Number(state === wanted), 0) ?? null;
  return {
    language,
    published: published === undefined ? null : view.stories(published.name).count,
    draft: count(publication, draft),
    changed: count(publication, changed),
    missing: count(translation, missing),
    same: count(translation, same),
  };
}

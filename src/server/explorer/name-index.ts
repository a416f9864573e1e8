import { lowerBound } from "../../lib/collections/lower-bound.js";
import type { GenerationView } from "../replica/generation-view.js";
import type { Sliced } from "../replica/query/slices.js";
import type { StoryRows } from "../replica/query/story-rows.js";
import { perGeneration } from "./per-generation.js";

/** Names and slugs of an edition's stories in lower case, one behind the other: searching them takes milliseconds. */
interface NameIndex {
  bytes: Buffer;
  /** Where the text of each row ends. */
  ends: Uint32Array;
}

const indexes = perGeneration<NameIndex>(2);
/** Between the name of a story, its slug and the next one: no text has it. */
const separator = "\u0000";
/** Read from the records: a column of names would take as much memory again, and nothing else needs one. */
const namePath = ["name"];

/** Which rows of an edition have a text in name or slug, whatever the case: 1 by row. */
export async function rowsNamedLike(view: GenerationView, edition: string, search: string): Promise<Uint8Array> {
  const { bytes, ends } = await indexes(view, edition, () => view.slices.run(makeIndex(view.stories(edition))));
  const found = new Uint8Array(ends.length);
  const needle = Buffer.from(search.toLowerCase());
  if (needle.length === 0 || needle.includes(separator)) return found;
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    const row = lowerBound(ends.length, (place) => ends[place]! > at);
    found[row] = 1;
    at = bytes.indexOf(needle, ends[row]!);
  }
  return found;
}

function* makeIndex(rows: StoryRows): Sliced<NameIndex> {
  const slug = (yield* rows.prepare([["full_slug"]])).field(["full_slug"]);
  const text = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : "");
  const ends = new Uint32Array(rows.count);
  const pieces: Buffer[] = [];
  let end = 0;
  for (let from = 0; from < rows.count; from += 64) {
    const texts: Buffer[] = [];
    for (let row = from; row < Math.min(rows.count, from + 64); row++) {
      const piece = Buffer.from(`${text(rows.value(row, namePath))}${separator}${text(slug(row))}${separator}`);
      end += piece.length;
      ends[row] = end;
      texts.push(piece);
    }
    pieces.push(Buffer.concat(texts));
    yield;
  }
  return { bytes: Buffer.concat(pieces), ends };
}

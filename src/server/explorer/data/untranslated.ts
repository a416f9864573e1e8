import type { EditionEntry } from "../../../snapshot/manifest.js";
import { chosenEdition } from "../../../snapshot/reader/stored-story.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { Sliced } from "../../replica/query/slices.js";
import type { StoryRows } from "../../replica/query/story-rows.js";
import { perGeneration } from "./per-generation.js";

const found = perGeneration<ReadonlySet<string>>(8);

/** Stories that a language lacks, or whose content there is byte for byte this edition's. */
export function untranslatedUuids(
  view: GenerationView,
  edition: EditionEntry,
  language: string,
): Promise<ReadonlySet<string>> {
  const other = chosenEdition(view.reader.manifest, { language, version: edition.version });
  return found(view, `${edition.name} ${other.name}`, async () => {
    const translated = view.stories(other.name);
    await translated.prepareUuids();
    return view.slices.run(compareContents(view.stories(edition.name), translated));
  });
}

const contentPath = ["content"];

function* compareContents(rows: StoryRows, translated: StoryRows): Sliced<ReadonlySet<string>> {
  const uuid = (yield* rows.prepare([["uuid"]])).field(["uuid"]);
  const same = new Set<string>();
  for (let row = 0; row < rows.count; row++) {
    const name = String(uuid(row));
    const other = translated.rowOf(name);
    const isSame =
      other === undefined ||
      Buffer.compare(rows.valueBytes(row, contentPath), translated.valueBytes(other, contentPath)) === 0;
    if (isSame) same.add(name);
    if (row % 16 === 0) yield;
  }
  return same;
}

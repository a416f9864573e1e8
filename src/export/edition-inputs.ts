import type { NotedReader } from "../reader/reader.js";
import { createStoryResolver } from "../render/resolve-story.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import type { ContentInputs } from "./content-inputs.js";
import { siteOf } from "./site.js";
import type { EditionInputs } from "./story-text.js";

/** What the files of one edition of a content tree are made from. */
export function editionInputs(inputs: ContentInputs, edition: EditionEntry): EditionInputs {
  return {
    ...inputs,
    edition,
    resolver: createStoryResolver(inputs, edition),
    exactResolver: createStoryResolver({ ...inputs, read: withExactNumbers(inputs.read) }, edition),
    site: siteOf(edition, inputs),
  };
}

function withExactNumbers(read: NotedReader): NotedReader {
  return {
    ...read,
    story: (edition, uuid) => read.story(edition, uuid, { exact: true }),
    assetMetadata: (id) => read.assetMetadata(id, { exact: true }),
  };
}

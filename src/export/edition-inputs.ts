import type { EditionEntry } from "../snapshot/manifest.js";
import type { ContentInputs } from "./content-inputs.js";
import { editionStories } from "./edition-stories.js";
import { siteOf } from "./site.js";
import type { EditionInputs } from "./story-text.js";

/** What the files of one edition of a content tree are made from. */
export function editionInputs(inputs: ContentInputs, edition: EditionEntry): EditionInputs {
  return {
    ...inputs,
    edition,
    stories: editionStories(inputs, edition),
    site: siteOf(edition, inputs),
  };
}

import type { Config } from "../../config/config.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import { notingReader } from "../../snapshot/reader/noting-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import { type ExplainedBlock, explainContent } from "../render/explain-content.js";
import { targets } from "../render/targets.js";
import { isBlock } from "../resolve/content-shape.js";
import { assetLocations } from "./asset-location.js";
import { fieldUses, shownShards } from "./shown-shards.js";
import { editionInputs, renderContext } from "./story-text.js";

/**
 * How each field of a story is shown in its Markdown file, and why. Writes nothing.
 *
 * @returns undefined if the edition lacks the story, or the story has no content
 */
export function explainStory(
  reader: Reader,
  config: Config,
  edition: EditionEntry,
  uuid: string,
): ExplainedBlock | undefined {
  const uses = fieldUses(reader, shownShards(reader, new Map()));
  const { read } = notingReader(reader, config.content.types, { uses });
  const inputs = editionInputs(
    {
      reader,
      read,
      config,
      target: targets[config.content.target],
      assetUrl: assetLocations(read, config),
      blocks: new Map(),
      blocksVersion: "",
      renderStory: (_edition, _uuid, render) => render(),
      report: () => undefined,
    },
    edition,
  );
  const story = inputs.stories.forPage(uuid, "");
  if (story === undefined || !isBlock(story.content)) return undefined;
  return explainContent(story.content, (field) => renderContext(inputs, story.full_slug, field));
}

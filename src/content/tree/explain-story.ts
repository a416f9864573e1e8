import type { Config } from "../../config/config.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import { notingReader } from "../../snapshot/reader/noting-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import { type ExplainedBlock, explainContent } from "../render/explain-content.js";
import { type StoryDate, storyDate } from "../render/story-date.js";
import { targets } from "../render/targets.js";
import { isBlock } from "../resolve/content-shape.js";
import { assetLocations } from "./asset-location.js";
import type { ContentInputs } from "./content-inputs.js";
import { hasPage } from "./pageless-stories.js";
import { fieldUses, shownShards } from "./shown-shards.js";
import { type EditionInputs, editionInputs, renderContext, storyFile, storyJson } from "./story-text.js";

export interface ExplainedPage {
  /** False for a story of settings, which is in JSON alone. */
  hasPage: boolean;
  /** Undefined if the story has none that can be read. */
  date: StoryDate | undefined;
  content: ExplainedBlock;
}

/**
 * How a story becomes a Markdown file, and why: its date, and each of its fields. Writes nothing.
 *
 * @returns undefined if the edition lacks the story, or the story has no content
 */
export function explainStory(
  reader: Reader,
  config: Config,
  edition: EditionEntry,
  uuid: string,
): ExplainedPage | undefined {
  const uses = fieldUses(reader, shownShards(reader, new Map()));
  const { read } = notingReader(reader, config.content.types, { uses });
  const inputs = inputsOfStory({ reader, read, config }, edition);
  const story = inputs.stories.forPage(uuid, "");
  if (story === undefined || !isBlock(story.content)) return undefined;
  const { content } = story;
  const context = (field: string) => renderContext(inputs, story, field);
  const setting = read.componentSetting(content.component);
  return {
    hasPage: hasPage(content.component, setting, () => story),
    date: storyDate(story, { setting: setting?.date, dateField: context("").dateField }),
    content: explainContent(content, context),
  };
}

/** The keys of all that a story's page, or its JSON where there are no pages, is made of: its own record and that of others. */
export function keysOfStory(reader: Reader, config: Config, edition: EditionEntry, uuid: string): ReadonlySet<string> {
  const { read, noted } = notingReader(reader, config.content.types);
  const inputs = inputsOfStory({ reader, read, config }, edition);
  const render = config.content.formats.includes("markdown") ? storyFile : storyJson;
  return noted(() => render(inputs, uuid, "")).keys;
}

/** What rendering one story takes, without a tree around it. */
function inputsOfStory(given: Pick<ContentInputs, "reader" | "read" | "config">, edition: EditionEntry): EditionInputs {
  return editionInputs(
    {
      ...given,
      target: targets[given.config.content.target],
      assetUrl: assetLocations(given.read, given.config),
      blocks: new Map(),
      blocksVersion: "",
      report: () => undefined,
    },
    edition,
  );
}

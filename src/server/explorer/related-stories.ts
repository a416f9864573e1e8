import { uuid as uuidShape } from "../../lib/shape.js";
import type { GenerationView } from "../replica/generation-view.js";
import { contentLeaves } from "./content-leaves.js";
import { findMentions } from "./find-mentions.js";

/** A story that is named, or that names one. */
export interface RelatedStory {
  uuid: string;
  name: string;
  full_slug: string;
  /** The fields that name it. */
  fields: string[];
}

/** The most that is told of one story; the number of all is told too. */
const told = 100;

/** The stories that content names by relation or link, in its order. */
export async function namedStories(view: GenerationView, edition: string, content: unknown): Promise<RelatedStory[]> {
  const rows = view.stories(edition);
  await rows.prepareUuids();
  const found = new Map<string, RelatedStory>();
  for (const { value, key, path } of contentLeaves(content)) {
    if (key === "_uid" || !uuidShape.is(value)) continue;
    const known = found.get(value);
    if (known !== undefined) {
      if (!known.fields.includes(path)) known.fields.push(path);
      continue;
    }
    const row = rows.rowOf(value);
    if (row === undefined || found.size >= told) continue;
    found.set(value, { ...storyOf(rows.value(row, ["name"]), rows.value(row, ["full_slug"]), value), fields: [path] });
  }
  return [...found.values()];
}

/** The stories of an edition that name a story, and how many there are. */
export async function namingStories(
  view: GenerationView,
  edition: string,
  uuid: string,
): Promise<{ total: number; stories: RelatedStory[] }> {
  const rows = view.stories(edition);
  await rows.prepareUuids();
  const own = rows.rowOf(uuid);
  const mentions = (await findMentions(view, edition, uuid)).filter((row) => row !== own);
  const stories = mentions.slice(0, told).flatMap((row): RelatedStory[] => {
    const paths: string[] = [];
    for (const { value, path } of contentLeaves(rows.content(row))) {
      if (value === uuid && !paths.includes(path)) paths.push(path);
    }
    const name = String(rows.value(row, ["uuid"]));
    const about = storyOf(rows.value(row, ["name"]), rows.value(row, ["full_slug"]), name);
    // What names it elsewhere than in its content is no relation.
    return paths.length === 0 ? [] : [{ ...about, fields: paths }];
  });
  return { total: mentions.length > told ? mentions.length : stories.length, stories };
}

function storyOf(name: unknown, slug: unknown, uuid: string) {
  return { uuid, name: typeof name === "string" ? name : "", full_slug: typeof slug === "string" ? slug : "" };
}

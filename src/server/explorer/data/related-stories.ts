import { walkContent } from "../../../content/check/facts/walk-content.js";
import { fieldTitle } from "../../../content/names/field-title.js";
import { type KnownStory, knownStories } from "../../../content/names/known-stories.js";
import { originalAssetUrl } from "../../../content/resolve/asset-urls.js";
import { isAsset } from "../../../content/resolve/content-shape.js";
import { visitValue } from "../../../content/resolve/rewrite-value.js";
import { isObject, uuid as uuidShape } from "../../../lib/shape.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import type { GenerationView } from "../../replica/generation-view.js";
import { assetPath } from "../../replica/query/asset-index.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { contentLeaves, findJson, findMentions } from "./find-mentions.js";
import { type NamedStory, namedStory } from "./story-list.js";

export interface RelatedStory extends NamedStory {
  fields: string[];
}

/** Most related stories to show per story, or per edition of an asset. The total counts all. */
const told = 100;

/** The stories that a content names; `lost`: those that its edition lacks, as far as a kept generation knows them. */
export async function namedStories(
  { store }: Pick<ExplorerSpace, "store">,
  view: GenerationView,
  edition: string,
  content: unknown,
): Promise<{ names: RelatedStory[]; lost: ReadonlyMap<string, KnownStory> }> {
  const rows = view.stories(edition);
  await rows.prepareUuids();
  const found = new Map<string, RelatedStory>();
  const lost: string[] = [];
  for (const { value, key, path } of contentLeaves(content)) {
    if (key === "_uid" || !uuidShape.is(value)) continue;
    const known = found.get(value);
    const row = rows.rowOf(value);
    if (row === undefined) lost.push(value);
    else if (known === undefined && found.size < told) found.set(value, { ...namedStory(rows, row), fields: [path] });
    else if (known?.fields.includes(path) === false) known.fields.push(path);
  }
  return { names: [...found.values()], lost: await knownStories(store, view.reader.manifest, lost) };
}

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
    // Mentions outside the content are no relations.
    return paths.length === 0 ? [] : [{ ...namedStory(rows, row), fields: paths }];
  });
  return { total: mentions.length > told ? mentions.length : stories.length, stories };
}

const blockFields = 5;
export const mostUsers = told;

/** The first {@link mostUsers} stories that have a block inside their content, and where. */
export async function blockUsers(view: GenerationView, edition: string, component: string): Promise<RelatedStory[]> {
  const rows = view.stories(edition);
  const users: RelatedStory[] = [];
  for (const row of await findJson(view, edition, `"component":${JSON.stringify(component)}`)) {
    if (users.length >= mostUsers) break;
    const content = rows.content(row);
    const fields: string[] = [];
    walkContent(content, {
      block(_block, found, at) {
        const path = found === component && fields.length < blockFields ? at.path() : "";
        if (path !== "") fields.push(fieldTitle(content, path));
      },
    });
    if (fields.length > 0) users.push({ ...namedStory(rows, row), fields });
  }
  return users;
}

export interface AssetUser extends RelatedStory {
  edition: string;
  language: string;
  /** Its alternative texts for the asset; empty if one is missing. */
  alts: string[];
}

const searched = 20;

export async function usersOf(
  view: GenerationView,
  asset: AssetRecord,
): Promise<{ total: number; users: AssetUser[] }> {
  const users: AssetUser[] = [];
  let total = 0;
  for (const { name: edition, language } of view.reader.manifest.editions.slice(0, searched)) {
    const rows = await findMentions(view, edition, pathIn(asset.url));
    total += rows.length;
    const stories = view.stories(edition);
    for (const row of rows.slice(0, told)) {
      const user = userOf(stories.content(row), asset.url);
      if (user !== undefined) users.push({ ...namedStory(stories, row), edition, language, ...user });
    }
  }
  return { total: Math.max(total, users.length), users };
}

/** The raw path, as content spells it: a parsed address would have other characters. */
function pathIn(url: string): string {
  const at = url.indexOf("/f/");
  if (at >= 0) return url.slice(at);
  return assetPath(url) ?? url;
}

function userOf(content: unknown, url: string): Pick<AssetUser, "fields" | "alts"> | undefined {
  const fields: string[] = [];
  for (const { value, path } of contentLeaves(content)) {
    if (typeof value !== "string" || fields.includes(path)) continue;
    if (originalAssetUrl(value) === url || value.includes(url)) fields.push(path.replace(/ › filename$/, ""));
  }
  if (fields.length === 0) return undefined;
  const alts = new Set<string>();
  visitValue(content, (value) => {
    if (!isObject(value) || !isAsset(value) || originalAssetUrl(String(value.filename)) !== url) return;
    alts.add(typeof value.alt === "string" ? value.alt : "");
  });
  return { fields: [...new Set(fields)], alts: [...alts] };
}

import { originalAssetUrl } from "../../content/resolve/asset-urls.js";
import { isAsset, type JsonObject } from "../../content/resolve/content-shape.js";
import { visitValue } from "../../content/resolve/rewrite-value.js";
import { isObject } from "../../lib/shape.js";
import type { AssetRecord, EditionEntry } from "../../snapshot/manifest.js";
import type { GenerationView } from "../replica/generation-view.js";
import { contentLeaves } from "./content-leaves.js";
import { findMentions } from "./find-mentions.js";

/** A story that shows an asset. */
export interface AssetUser {
  uuid: string;
  name: string;
  full_slug: string;
  edition: string;
  language: string;
  /** The fields that name it. */
  fields: string[];
  /** The alternative texts that it has there; an empty one where a use of it has none. */
  alts: string[];
}

/** Users that are told of each edition; the number of all is told too. */
const told = 100;
/** Editions that are searched. */
const searched = 20;

/** The stories that name an asset, of each edition. */
export async function usersOf(
  view: GenerationView,
  asset: AssetRecord,
): Promise<{ total: number; users: AssetUser[] }> {
  const path = URL.canParse(asset.url, "https://asset.invalid")
    ? new URL(asset.url, "https://asset.invalid").pathname
    : asset.url;
  const users: AssetUser[] = [];
  let total = 0;
  for (const edition of view.reader.manifest.editions.slice(0, searched)) {
    const rows = await findMentions(view, edition.name, decodedPath(asset.url, path));
    total += rows.length;
    const stories = view.stories(edition.name);
    for (const row of rows.slice(0, told)) {
      const user = userOf(stories.content(row), asset.url);
      if (user === undefined) continue;
      const text = (name: string) => String(stories.value(row, [name]) ?? "");
      users.push({ uuid: text("uuid"), name: text("name"), full_slug: text("full_slug"), ...placed(edition), ...user });
    }
  }
  return { total: Math.max(total, users.length), users };
}

/** The path as content spells it: an address that was not parsed keeps its characters. */
function decodedPath(url: string, path: string): string {
  const at = url.indexOf("/f/");
  return at < 0 ? path : url.slice(at);
}

function placed({ name, language }: EditionEntry) {
  return { edition: name, language };
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
    if (isObject(value) && isAsset(value) && originalAssetUrl(String(value.filename)) === url) alts.add(altOf(value));
  });
  return { fields: [...new Set(fields)], alts: [...alts] };
}

function altOf(asset: JsonObject): string {
  return typeof asset.alt === "string" ? asset.alt : "";
}

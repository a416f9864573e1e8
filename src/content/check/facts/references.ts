import { slugWithoutLanguage } from "../../../contract/story-address.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { numberHash } from "../../../lib/number-hash.js";
import { isLeftOut } from "../../resolve/left-out.js";
import { pathOfAddress } from "../../resolve/link-pattern.js";
import { isRelation } from "../../resolve/relations.js";
import { storyLink, writtenSlug } from "../../resolve/story-links.js";
import type { CheckedEdition, CheckedSpace, CheckedStory } from "./checked-space.js";
import { eachReference } from "./shard-facts.js";
import { type ContentPlace, type Inside, walkContent } from "./walk-content.js";

/** A relation or a link to a story that its edition does not have. */
export interface LostReference {
  story: CheckedStory;
  uuid: string;
  /** The slug that a link was written with, without language. */
  written?: string;
  path: string;
  place: string;
  field: string;
}

type LostKind = "relation" | "link";

/** What names no story of its edition: found in the facts, and looked up once in the stories that hold it. */
export function lostReferences(space: CheckedSpace, kind: LostKind): Promise<readonly LostReference[]> {
  const found = inMap(lostOf, space, () => new Map<LostKind, Promise<readonly LostReference[]>>());
  return inMap(found, kind, () => findLost(space, kind));
}

const lostOf = new WeakMap<CheckedSpace, Map<LostKind, Promise<readonly LostReference[]>>>();

async function findLost({ editions, settings }: CheckedSpace, kind: LostKind): Promise<LostReference[]> {
  const found: LostReference[] = [];
  for (const edition of editions) {
    const holders = new Set<number>();
    edition.eachNamedStory(({ start, facts }, story, field, its, to) => {
      if (to !== -1 || its !== kind) return;
      if (kind === "link" || holdsRelations(facts.names.fields[field]!, settings.relations)) holders.add(start + story);
    });
    await edition.eachContent([...holders], (at, content) => {
      const story = { edition, at };
      const note = (uuid: string, { component, field }: Inside, at: ContentPlace, written?: string) => {
        if (edition.find(numberHash(uuid)) !== undefined) return;
        const named = { story, uuid, path: at.path(), place: at.place(), field: `${component}.${field}` };
        found.push(written === undefined ? named : { ...named, written });
      };
      if (kind === "relation") {
        walkContent(content, {
          related(uuid, component, field, at) {
            if (isRelation(component, field, settings.relations)) note(uuid, { component, field }, at);
          },
        });
      } else {
        walkContent(content, {
          object(value, at, inside) {
            const uuid = storyLink(value)?.uuid;
            if (uuid === undefined) return;
            note(uuid, inside, at, slugWithoutLanguage(writtenSlug(value), edition.entry.language));
          },
        });
      }
    });
  }
  return found;
}

/** True if another language has the story that is named: then it is not lost, but not translated. */
export function hasTranslation({ uuid }: LostReference, { editions }: CheckedSpace): boolean {
  return editions.some((edition) => edition.find(numberHash(uuid)) !== undefined);
}

export function namesLeftOut(
  { uuid, written }: LostReference,
  row: { isFolder: boolean } | undefined,
  { editions, settings }: CheckedSpace,
): boolean {
  const isInBase = editions[0]?.find(numberHash(uuid)) !== undefined;
  return isLeftOut(settings.include, { row: row && { is_folder: row.isFolder }, isInBase, written });
}

/** Fields that hold at least one uuid of a story that is there: the others may hold uuids of something else. */
export function relationFieldsInUse({ editions }: CheckedSpace): Set<string> {
  const inUse = new Set<string>();
  for (const edition of editions) {
    edition.eachNamedStory(({ facts }, _story, field, kind, to) => {
      if (kind === "relation" && to !== -1) inUse.add(facts.names.fields[field] ?? "");
    });
  }
  return inUse;
}

function holdsRelations(name: string, fields: CheckedSpace["settings"]["relations"]): boolean {
  const dot = name.lastIndexOf(".");
  return isRelation(name.slice(0, dot), name.slice(dot + 1), fields);
}

export function reachedStories(edition: CheckedEdition, { settings }: Pick<CheckedSpace, "settings">): Uint8Array {
  const reached = new Uint8Array(edition.count);
  const note = (from: number, to: number | undefined) => {
    if (to !== undefined && to !== -1 && to !== from) reached[to] = 1;
  };
  edition.eachNamedStory(({ start }, story, _field, _kind, to) => note(start + story, to));
  for (const { start, facts } of edition.shards) {
    for (const [story, , , address] of facts.addresses) {
      const to = pathOfAddress(address, edition.entry.language, settings.links);
      if (to !== undefined) note(start + story, edition.atPath(to));
    }
  }
  return reached;
}

const mostUsers = 1_000;

/** The stories that use assets, by the `assetHash` of these. Of a very often used one, the first thousand. */
export function assetUsers(
  { editions }: Pick<CheckedSpace, "editions">,
  wanted: ReadonlySet<number>,
): Map<number, CheckedStory[]> {
  const users = new Map<number, CheckedStory[]>();
  if (wanted.size === 0) return users;
  for (const edition of editions) {
    for (const { start, facts } of edition.shards) {
      eachReference(facts, (story, _field, kind, target) => {
        if (kind !== "asset" || !wanted.has(target)) return;
        const known = inMap(users, target, () => []);
        const last = known.at(-1);
        const isSame = last?.edition === edition && last.at === start + story;
        if (!isSame && known.length < mostUsers) known.push({ edition, at: start + story });
      });
    }
  }
  return users;
}

import { termPaths } from "../../../contract/term-tree.js";
import { numberHash } from "../../../lib/number-hash.js";
import { uuid as uuidShape } from "../../../lib/shape.js";
import { fieldTitle } from "../../names/field-title.js";
import { originalAssetUrl } from "../../resolve/asset-urls.js";
import { isFilled } from "../../resolve/content-shape.js";
import { pathOfAddress } from "../../resolve/link-pattern.js";
import { storyLink } from "../../resolve/story-links.js";
import type { CheckedEdition } from "../facts/checked-space.js";
import { sourcesOfFields } from "../facts/field-sources.js";
import { assetHash, eachReference, type ShardFacts } from "../facts/shard-facts.js";
import { type ContentVisitor, walkContent } from "../facts/walk-content.js";
import { findingStory } from "../finding.js";
import type { ReadSpace } from "../read-checked-space.js";
import { editionIn, fieldFills, type Usage, type UsageKind, type User, usageKinds } from "./usage.js";

const mostFields = 5;

/** All but languages, for which {@link languageUsage} answers. */
type SearchedKind = Exclude<UsageKind, "language">;

/** Who uses something; undefined if the space has nothing of that name. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function findUsers(space: ReadSpace, kind: SearchedKind, name: string): Promise<Usage | undefined> {
  const search = searches[kind](space, name);
  if (search === undefined) return undefined;
  const users: User[] = [];
  for (const edition of space.editions) for (const user of await usersIn(edition, search)) users.push(user);
  const times = users.reduce((sum, user) => sum + user.times, 0);
  return { kind, name, times, users, ...search.more };
}

/** The kinds of things that have this name. */
export function kindsNamed(space: ReadSpace, name: string): UsageKind[] {
  return usageKinds.filter((kind) => (kind === "language" ? editionIn : searches[kind])(space, name) !== undefined);
}

interface Search {
  /** Which stories of a shard may use it, by their positions there; "all": all of them. */
  candidates(facts: ShardFacts, edition: CheckedEdition): "all" | ReadonlySet<number> | undefined;
  /** Reports each use in a story's content. undefined: each candidate uses it once. */
  visitor?(note: (field: string) => void, edition: CheckedEdition): ContentVisitor;
  /** True if a candidate uses it even where the visitor finds nothing. */
  countsCandidates?: true;
  more?: Pick<Usage, "fields" | "values">;
}

const searches: Record<SearchedKind, (space: ReadSpace, name: string) => Search | undefined> = {
  block({ editions }, name) {
    if (!editions.some(({ shards }) => shards.some(({ facts }) => Object.hasOwn(facts.blocks, name)))) return undefined;
    const fields = editions[0] === undefined ? [] : fieldFills(editions[0]);
    return {
      candidates: ({ blocks }) => (Object.hasOwn(blocks, name) ? "all" : undefined),
      visitor: (note) => ({ block: (_block, component, at) => component === name && note(at.path()) }),
      more: { fields: fields.filter(({ field }) => field.startsWith(`${name}.`)) },
    };
  },
  story({ editions, settings }, name) {
    const hashes = editions.map((edition) => storyHash(edition, name));
    if (hashes.every((hash) => hash === undefined)) return undefined;
    const wanted = new Map(editions.map((edition, at) => [edition, hashes[at] ?? hashes.find(Boolean)]));
    const isAddress = (address: string, edition: CheckedEdition) => {
      const path = pathOfAddress(address, edition.entry.language, settings.links);
      const at = path === undefined ? undefined : edition.atPath(path);
      return at !== undefined && edition.uuidHash(at) === wanted.get(edition);
    };
    return {
      // Addresses in texts are found by the facts alone.
      countsCandidates: true,
      candidates(facts, edition) {
        const found = referring(facts, (kind, target) => kind !== "asset" && target === wanted.get(edition));
        for (const [story, , , address] of facts.addresses) if (isAddress(address, edition)) found.add(story);
        return found;
      },
      visitor(note, edition) {
        const isIt = (uuid: string) => numberHash(uuid) === wanted.get(edition);
        return {
          related: (uuid, _component, _field, at) => isIt(uuid) && note(at.path()),
          object: (value, at) => isIt(storyLink(value)?.uuid ?? "") && note(at.path()),
        };
      },
    };
  },
  asset({ assets }, name) {
    const address = originalAssetUrl(name);
    const known = assets.filter(({ url, name: file }) => url.endsWith(`/${name}`) || file === name);
    const urls = address === undefined ? known.map(({ url }) => url) : [address];
    if (urls.length === 0) return undefined;
    const wanted = new Set(urls.map(assetHash));
    return { candidates: (facts) => referring(facts, (kind, target) => kind === "asset" && wanted.has(target)) };
  },
  field({ editions }, name) {
    const fills = editions[0] === undefined ? [] : fieldFills(editions[0]);
    const fields = fills.filter(({ field }) => field === name);
    if (fields.length === 0) return undefined;
    return {
      candidates: ({ names: own }) => (own.fields.includes(name) ? "all" : undefined),
      visitor: (note) => ({
        field(component, field, value, at) {
          if (`${component}.${field}` === name && isFilled(value)) note(at.path());
        },
      }),
      more: { fields },
    };
  },
  datasource(space, name) {
    const values = space.datasources.get(name);
    const [first] = space.editions;
    if (values === undefined || first === undefined) return undefined;
    const sources = sourcesOfFields(first, space);
    const own = new Set([...sources].flatMap(([field, source]) => (source === name ? [field] : [])));
    const times = new Map([...values].map((value) => [value, 0]));
    for (const { facts } of first.shards) {
      for (const [field, options] of facts.options) {
        if (!own.has(facts.names.fields[field]!)) continue;
        for (const [value, count] of options) if (times.has(value)) times.set(value, times.get(value)! + count);
      }
    }
    return {
      candidates: ({ names: { fields } }) => (fields.some((field) => own.has(field)) ? "all" : undefined),
      visitor: (note) => ({
        field: (component, field, value, at) => {
          if (own.has(`${component}.${field}`) && values.has(String(value))) note(at.path());
        },
      }),
      more: {
        fields: fieldFills(first).filter(({ field }) => own.has(field)),
        values: [...times].map(([value, count]) => ({ value, times: count })),
      },
    };
  },
  term({ terms = [] }, name) {
    const ids = [...termPaths(terms)].flatMap(([id, path]) => (path === name ? [id] : []));
    if (ids.length === 0) return undefined;
    return { candidates: ({ terms: own }) => new Set(ids.flatMap((id) => (Object.hasOwn(own, id) ? own[id]! : []))) };
  },
  tag({ editions }, name) {
    if (!editions.some(({ shards }) => shards.some(({ facts }) => Object.hasOwn(facts.tags(), name)))) return undefined;
    return { candidates: (facts) => (Object.hasOwn(facts.tags(), name) ? new Set(facts.tags()[name]) : undefined) };
  },
};

function storyHash(edition: CheckedEdition, name: string): number | undefined {
  const isUuid: boolean = uuidShape.is(name);
  if (isUuid) return edition.find(numberHash(name)) === undefined ? undefined : numberHash(name);
  const plain = name.replace(/^\/+|\/+$/g, "");
  const at = edition.atPath(plain) ?? atSlug(edition, plain);
  return at === undefined ? undefined : edition.uuidHash(at);
}

/** The story with a slug, without outer slashes, that is not at its slug: it has a real path. */
function atSlug(edition: CheckedEdition, slug: string): number | undefined {
  for (const { start, facts } of edition.shards) {
    for (const at of Object.keys(facts.paths)) {
      const own = facts.slug(Number(at)).replace(/^\/+|\/+$/g, "");
      if (own === slug || own === `${edition.entry.language}/${slug}`) return start + Number(at);
    }
  }
  return undefined;
}

function referring(facts: ShardFacts, isIt: (kind: string, target: number) => boolean): Set<number> {
  const found = new Set<number>();
  eachReference(facts, (story, _field, kind, target) => {
    if (isIt(kind, target)) found.add(story);
  });
  return found;
}

async function usersIn(edition: CheckedEdition, search: Search): Promise<User[]> {
  const users: User[] = [];
  const positions = edition.shards.flatMap(({ start, facts }) => {
    const found = search.candidates(facts, edition);
    const inside = found === "all" ? Array.from({ length: facts.count }, (_, at) => at) : [...(found ?? [])];
    return inside.map((at) => start + at);
  });
  const note = (at: number, times: number, fields: string[], content?: unknown) => {
    const fieldTitles = fields.map((field) => fieldTitle(content, field));
    users.push({ ...findingStory({ edition, at }), times, fields, fieldTitles });
  };
  if (search.visitor === undefined) {
    for (const at of positions) note(at, 1, []);
    return users;
  }
  await edition.eachContent(positions, (at, content) => {
    let times = 0;
    const fields: string[] = [];
    const visitor = search.visitor!((field) => {
      times += 1;
      if (fields.length < mostFields) fields.push(field);
    }, edition);
    walkContent(content, visitor);
    if (times > 0 || search.countsCandidates) note(at, Math.max(1, times), fields, content);
  });
  return users;
}

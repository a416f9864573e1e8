import { isMultilink, type JsonObject } from "../resolve/content-shape.js";
import { isRelation } from "../resolve/relations.js";
import type { CheckedEdition, CheckedSpace } from "./checked-space.js";
import { shortHash } from "./short-hash.js";
import { walkContent } from "./walk-content.js";

/** A relation or a link to a story that its edition does not have. */
export interface LostReference {
  edition: CheckedEdition;
  /** Position of the story that holds it. */
  story: number;
  uuid: string;
  path: string;
  place: string;
  /** `component.field` that it stands in, or below. */
  field: string;
}

/** What names no story of its edition: found in the facts, and looked up in the stories that hold it. */
export async function lostReferences(
  { editions, settings }: CheckedSpace,
  kind: "relation" | "link",
): Promise<LostReference[]> {
  const found: LostReference[] = [];
  for (const edition of editions) {
    const holders = new Set<number>();
    edition.eachNamedStory(({ start, facts }, story, field, its, to) => {
      if (to !== -1 || its !== kind) return;
      if (kind === "link" || holdsRelations(facts.names.fields[field]!, settings.relations)) holders.add(start + story);
    });
    await edition.eachContent([...holders], (story, content) => {
      const note = (uuid: string, component: string, field: string, path: string, place: string) => {
        if (edition.find(shortHash(uuid)) !== undefined) return;
        found.push({ edition, story, uuid, path, place, field: `${component}.${field}` });
      };
      if (kind === "relation") {
        walkContent(content, {
          related(uuid, component, field, at) {
            if (isRelation(component, field, settings.relations)) note(uuid, component, field, at.path(), at.place());
          },
        });
      } else {
        walkContent(content, {
          object(value, at, inside) {
            const uuid = linkedStory(value);
            if (uuid !== undefined) note(uuid, inside.component, inside.field, at.path(), at.place());
          },
        });
      }
    });
  }
  return found;
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

/** The uuid of the story that an object links to; undefined where it is no link to a story. */
export function linkedStory(value: JsonObject): string | undefined {
  if (value.linktype !== "story") return undefined;
  const isMark = Object.hasOwn(value, "href") || Object.hasOwn(value, "uuid");
  const uuid = isMultilink(value) ? value.id : isMark ? value.uuid : undefined;
  return typeof uuid === "string" && uuid !== "" ? uuid : undefined;
}

function holdsRelations(name: string, fields: CheckedSpace["settings"]["relations"]): boolean {
  const dot = name.lastIndexOf(".");
  return isRelation(name.slice(0, dot), name.slice(dot + 1), fields);
}

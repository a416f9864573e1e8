import { notTranslated } from "../../names/story-title.js";
import type { CheckedSpace } from "../facts/checked-space.js";
import {
  hasTranslation,
  type LostReference,
  lostReferences,
  namesLeftOut,
  relationFieldsInUse,
} from "../facts/references.js";
import type { GlobalReport, GlobalRule } from "../facts/rule.js";

/** The relations that a sync reports under the same code. */
export const relationDangling: GlobalRule = {
  code: "RELATION_DANGLING",
  level: "error",
  about:
    "A field names a story that no language has. If no uuid in this field names a story, the field may hold something else: then `info`.",
  hint: "Publish the story, or remove it from the field.",
  async check(space, report) {
    const dead = await deadReferences(space, "relation");
    if (dead.length === 0) return;
    const inUse = relationFieldsInUse(space);
    const isNamed = space.settings.relations !== "all";
    for (const { reference, row } of dead) {
      const isUnpublished = row?.isPublished === false && !row.isFolder;
      const what = `The value names story ${reference.uuid}, which ${isUnpublished ? "is not published" : "this edition does not have"}.`;
      const isCertain = isNamed || row !== undefined || inUse.has(reference.field);
      report({ ...reportOf(reference, what), ...(isCertain ? {} : { level: "info" as const }) });
    }
  },
};

/** The links by uuid that a sync reports under the same code. */
export const linkDead: GlobalRule = {
  code: "LINK_DEAD",
  level: "error",
  about: "A link names a story that no language has.",
  hint: "Publish the story, or remove the link.",
  async check(space, report) {
    for (const { reference, row } of await deadReferences(space, "link")) {
      const isAbsent = row === undefined || row.isPublished;
      const what = isAbsent ? "this edition does not have" : row.isFolder ? "is a folder" : "is not published";
      report(reportOf(reference, `A link names story ${reference.uuid}, which ${what}.`));
    }
  },
};

/** References to stories that no language has, with the rows that the index has of these. */
async function deadReferences(space: CheckedSpace, kind: "link" | "relation") {
  const lost = (await lostReferences(space, kind)).filter((one) => !hasTranslation(one, space));
  const rows = await space.indexRows([...new Set(lost.map(({ uuid }) => uuid))]);
  const found = lost.map((reference) => ({ reference, row: rows.get(reference.uuid) }));
  return found.filter(({ reference, row }) => !namesLeftOut(reference, row, space));
}

function reportOf({ story, uuid, path, place }: LostReference, message: string): GlobalReport {
  return { story, path, place, wrong: uuid, target: uuid, message };
}

/** A sync reports these links and relations as `LINK_DEAD` and `RELATION_DANGLING`. */
export const linkUntranslated: GlobalRule = {
  code: "LINK_UNTRANSLATED",
  level: "warning",
  about: "A link or a field names a story that is not in this language, but in another one.",
  hint: "Publish a translation, or remove the reference in this language.",
  async check(space, report) {
    for (const kind of ["link", "relation"] as const) {
      for (const reference of await lostReferences(space, kind)) {
        if (!hasTranslation(reference, space) || namesLeftOut(reference, undefined, space)) continue;
        const what = kind === "link" ? "A link" : "The value";
        const missing = notTranslated(reference.story.edition.entry.language);
        report(reportOf(reference, `${what} names story ${reference.uuid}, ${missing}.`));
      }
    }
  },
};

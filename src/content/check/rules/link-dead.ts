import { lostReferences, namesLeftOut } from "../facts/lost-references.js";
import type { GlobalRule } from "../facts/rule.js";

/** The links by uuid that a sync reports under the same code. */
export const linkDead: GlobalRule = {
  code: "LINK_DEAD",
  level: "error",
  about: "A link names a story that the edition does not have.",
  hint: "Publish the story, or remove the link.",
  async check(space, report) {
    const lost = await lostReferences(space, "link");
    const rows = await space.indexRows([...new Set(lost.map(({ uuid }) => uuid))]);
    for (const reference of lost) {
      const { story, uuid, path, place } = reference;
      const row = rows.get(uuid);
      if (namesLeftOut(reference, row, space)) continue;
      const isAbsent = row === undefined || row.isPublished;
      const what = isAbsent ? "this edition does not have" : row.isFolder ? "is a folder" : "is not published";
      const message = `A link names story ${uuid}, which ${what}.`;
      report({ story, path, place, wrong: uuid, target: uuid, message });
    }
  },
};

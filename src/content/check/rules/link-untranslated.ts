import { notTranslated } from "../../names/story-title.js";
import { hasTranslation, lostReferences, namesLeftOut } from "../facts/lost-references.js";
import type { GlobalRule } from "../facts/rule.js";

/** A sync reports these links and relations as `LINK_DEAD` and `RELATION_DANGLING`. */
export const linkUntranslated: GlobalRule = {
  code: "LINK_UNTRANSLATED",
  level: "warning",
  about: "A link or a field names a story that is not in this language, but in another one.",
  hint: "Publish a translation, or remove the reference in this language.",
  async check(space, report) {
    for (const kind of ["link", "relation"] as const) {
      for (const reference of await lostReferences(space, kind)) {
        const { story, uuid, path, place } = reference;
        if (!hasTranslation(reference, space) || namesLeftOut(reference, undefined, space)) continue;
        const what = kind === "link" ? "A link" : "The value";
        const message = `${what} names story ${uuid}, ${notTranslated(story.edition.entry.language)}.`;
        report({ story, path, place, wrong: uuid, target: uuid, message });
      }
    }
  },
};

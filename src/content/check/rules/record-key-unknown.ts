import type { GlobalRule } from "../facts/rule.js";
import { shapeDifferences, shapeReport } from "../facts/shape-differences.js";

/** It says that the upstream has changed, not that content is wrong. */
export const recordKeyUnknown: GlobalRule = {
  code: "RECORD_KEY_UNKNOWN",
  level: "info",
  about:
    "Records of a kind (stories, links, tags, …) have a key that the interface does not describe; it is kept in the snapshot as it came. Told once for each kind and key, with an example.",
  hint: "Nothing has to be done. A newer version of Offprint may know the key.",
  async check(space, report) {
    for (const one of await shapeDifferences(space)) if (one.found === null) report(shapeReport(one));
  },
};

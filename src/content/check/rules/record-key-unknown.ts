import type { GlobalRule } from "../facts/rule.js";
import { shapeDifferences, shapeReport } from "../facts/shape-differences.js";

/** The upstream changed; the content is not at fault. */
export const recordKeyUnknown: GlobalRule = {
  code: "RECORD_KEY_UNKNOWN",
  level: "info",
  about: "Records of a kind have a key that the API does not describe.",
  hint: "Nothing to do. A newer version of Offprint may know the key.",
  async check(space, report) {
    for (const one of await shapeDifferences(space)) if (one.found === null) report(shapeReport(one));
  },
};

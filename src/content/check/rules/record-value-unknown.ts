import type { GlobalRule } from "../facts/rule.js";
import { shapeDifferences, shapeReport } from "../facts/shape-differences.js";

/** The upstream changed; the content is not at fault. */
export const recordValueUnknown: GlobalRule = {
  code: "RECORD_VALUE_UNKNOWN",
  level: "info",
  about: "Records of a kind have a value of another type than the API describes.",
  hint: "Check whether the site's code relies on the value. A newer version of Offprint may know it.",
  async check(space, report) {
    for (const one of await shapeDifferences(space)) if (one.found !== null) report(shapeReport(one));
  },
};

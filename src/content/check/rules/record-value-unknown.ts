import type { GlobalRule } from "../facts/rule.js";
import { shapeDifferences, shapeReport } from "../facts/shape-differences.js";

/** It says that the upstream has changed, not that content is wrong. */
export const recordValueUnknown: GlobalRule = {
  code: "RECORD_VALUE_UNKNOWN",
  level: "info",
  about:
    "Records of a kind have a value of another type than the interface describes (a text where a number is); it is kept as it came. Told once for each kind, key and type, with an example.",
  hint: "See whether the site's code relies on the value. A newer version of Offprint may know it.",
  async check(space, report) {
    for (const one of await shapeDifferences(space)) if (one.found !== null) report(shapeReport(one));
  },
};

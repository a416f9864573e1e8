import type { Config } from "../../../config/config.js";
import type { CheckResult } from "../run-check.js";

/** What is told of a check. */
export interface FindingsReport extends CheckResult {
  /** The name of the space where it is one of several. */
  space?: string;
  /** The level from which on a finding fails the command. */
  failOn: Config["check"]["failOn"];
  /** How many of the findings do. */
  failing: number;
}

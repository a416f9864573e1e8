import type { JsonObject } from "../../resolve/content-shape.js";
import type { CheckedSpace, CheckedStory } from "./checked-space.js";

/** How much a finding matters. `error`: something on the site is broken for certain. */
export const findingLevels = ["error", "warning", "info"] as const;
export type FindingLevel = (typeof findingLevels)[number];

export interface RuleFacts {
  code: string;
  level: FindingLevel;
  about: string;
  hint: string;
}

/** Reports a finding at the current place. `wrong` identifies it, `message` is for people. */
export type ReportHere = (wrong: string, message: string) => void;

/** A rule that needs one story only. Its findings are cached by the hash of the story's shard. */
export interface LocalRule extends RuleFacts {
  object?(value: JsonObject, report: ReportHere): void;
  /** A field of a block; `isTop`: of the content itself. */
  field?(name: string, value: unknown, report: ReportHere, isTop: boolean): void;
}

export interface GlobalReport {
  story?: CheckedStory;
  subject?: string;
  path?: string;
  place?: string;
  wrong: string;
  /** Uuid of the story that the field names. */
  target?: string;
  message: string;
  /** A finding that is less certain than the rule's level says. */
  level?: FindingLevel;
}

export interface GlobalRule extends RuleFacts {
  check(space: CheckedSpace, report: (found: GlobalReport) => void): void | Promise<void>;
}

export type Rule = LocalRule | GlobalRule;

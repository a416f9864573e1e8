import type { JsonObject } from "../../resolve/content-shape.js";
import type { CheckedSpace, CheckedStory } from "./checked-space.js";

/** How much a finding matters. `error`: something on the site is broken for certain. */
export const findingLevels = ["error", "warning", "info"] as const;
export type FindingLevel = (typeof findingLevels)[number];

/** What is known of a rule without running it. */
interface RuleFacts {
  /** Never changes its meaning. */
  code: string;
  /** Unless the configuration says otherwise (`check.rules`). */
  level: FindingLevel;
  /** What it finds. */
  about: string;
  /** What to do about a finding. */
  hint: string;
}

/** Tells of something at the place that is looked at. `wrong` is what it is known by, `message` what people read. */
export type ReportHere = (wrong: string, message: string) => void;

/** A rule that looks at one story alone. What it finds is kept by the hash of the story's shard. */
export interface LocalRule extends RuleFacts {
  /** Any object within the content that is no block. */
  object?(value: JsonObject, report: ReportHere): void;
  /** A field of a block; `isTop`: of the content itself. */
  field?(name: string, value: unknown, report: ReportHere, isTop: boolean): void;
}

/** What a global rule tells. */
export interface GlobalReport {
  /** Absent where the finding is about no story. */
  story?: CheckedStory;
  /** What it is about where that is no story. */
  subject?: string;
  path?: string;
  place?: string;
  wrong: string;
  message: string;
  hint?: string;
  /** A finding that is less certain than the rule's level says. */
  level?: FindingLevel;
}

/** A rule that needs what is known of all stories. */
export interface GlobalRule extends RuleFacts {
  check(space: CheckedSpace, report: (found: GlobalReport) => void): void | Promise<void>;
}

export type Rule = LocalRule | GlobalRule;

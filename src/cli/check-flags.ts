import type { Config, FindingsFormat, RuleCode } from "../config/config.js";
import { builtRules } from "../content/check/rules/built-rules.js";
import { OffprintError } from "../lib/errors.js";

export interface CheckFlags {
  new?: boolean;
  /** A number or a time. */
  since?: number | string;
  baseline?: string;
  writeBaseline?: boolean;
  writeLock?: boolean;
  format?: FindingsFormat;
  failOn?: Config["check"]["failOn"];
  drafts?: boolean;
  all?: boolean;
  rule?: RuleCode;
  /** The folder of the built site; `true`: that of the framework. */
  built?: string | true;
}

/** These flags write all findings, so a flag that narrows them would be ignored. */
export function assertOneTask({ writeLock, writeBaseline, since, rule, built, new: isNew }: CheckFlags): void {
  if (built !== undefined && since !== undefined) {
    throw new OffprintError("USAGE", "--built and --since do not go together.", {
      hint: "--new compares with the last build that was checked.",
    });
  }
  const options = [
    ["--write-lock", writeLock],
    ["--write-baseline", writeBaseline],
    ["--since", since !== undefined],
    ["--new", isNew],
    ["--rule", rule !== undefined && writeBaseline],
    ["--built", built !== undefined && writeLock],
  ] as const;
  const given = options.flatMap(([option, isGiven]) => (isGiven ? [option] : []));
  if ((!writeLock && !writeBaseline) || given.length < 2) return;
  throw new OffprintError("USAGE", `${given.join(" and ")} do not go together.`, {
    hint: `Run one command for each: \`offprint check ${given[0]}\` is about everything that there is.`,
  });
}

/** A rule that this kind of check does not have would find nothing. */
export function assertRuleFits({ built, rule }: CheckFlags): void {
  const isOfBuilt = builtRules.some(({ code }) => code === rule);
  if (rule === undefined || isOfBuilt === (built !== undefined)) return;
  const message = isOfBuilt ? `${rule} is about a built site.` : `${rule} is not about a built site.`;
  throw new OffprintError("USAGE", message, { hint: `Run it ${isOfBuilt ? "with" : "without"} --built.` });
}

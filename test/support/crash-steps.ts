const asked = process.env.OFFPRINT_CRASH;
if (asked !== undefined && asked !== "all" && asked !== "third")
  throw new Error(`OFFPRINT_CRASH is ${asked}; it can be all or third`);

/** Whether tests of crashes take their long forms: `OFFPRINT_CRASH` is `all` or `third`. */
export const isLongForm = asked !== undefined;

/** Whether they try everything: `OFFPRINT_CRASH=all`. */
export const isWholeForm = asked === "all";

/** Every how many steps one is tried in the long forms; another third of them each day. */
const stride = isWholeForm ? 1 : 3;
const first = Math.floor(Date.now() / 86_400_000) % stride;

/** True if a step, counted from 1, is tried in the long forms. */
export function isTriedAtLength(step: number): boolean {
  return step % stride === first;
}

/**
 * The steps that are tried, counted from 1: those of the long form, or in the suite about so many, spread evenly.
 *
 * @param count of all steps
 */
export function triedSteps(count: number, sampled: number): number[] {
  const every = Math.max(1, Math.ceil(count / sampled));
  const isTried = isLongForm ? isTriedAtLength : (step: number) => step % every === 0;
  return Array.from({ length: count }, (_, at) => at + 1).filter(isTried);
}

/**
 * How bad the exit codes are that a command may end with, the worst first: what was ended from outside, a fault of this
 * program, what a person has to put right (usage and configuration, damage, a refused token, a full disk), what may pass by
 * itself (the upstream, a safety stop, another process), what was done but not whole, success. That nothing changed is told
 * where it holds for every space.
 */
export const exitCodesByBadness: readonly number[] = [130, 143, 1, 2, 7, 4, 12, 5, 6, 11, 3, 10, 0, 9];

/** The worst of some exit codes; 0 for none. A code that is not known here counts as the worst. */
export function worstExitCode(codes: readonly number[]): number {
  const [first, ...others] = codes;
  const badness = (code: number) => exitCodesByBadness.indexOf(code);
  return others.reduce((worst, code) => (badness(code) < badness(worst) ? code : worst), first ?? 0);
}

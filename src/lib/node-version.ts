/** The oldest version of Node that this program runs with: `engines` of package.json. */
export const oldestNode = "20.19.0";

/**
 * Why this version of Node cannot run the program, as a message and a hint; undefined if it can, or if nobody knows.
 *
 * The file that starts the command imports this one, so it has to parse in Node 12: no `?.`, no `??`.
 *
 * @param version `20.19.2`
 */
export function nodeProblem(version: string | undefined): { message: string; hint: string } | undefined {
  if (version === undefined || !isOlder(version, oldestNode)) return undefined;
  return {
    message: `Offprint needs Node ${oldestNode} or later. This is Node ${version}.`,
    hint: "Install a version of Node with long-term support: https://nodejs.org/",
  };
}

function isOlder(version: string, than: string): boolean {
  const left = version.split(".").map(Number);
  const right = than.split(".").map(Number);
  for (let at = 0; at < right.length; at++) {
    const [a, b] = [left[at], right[at]];
    if (a !== undefined && b !== undefined && a !== b) return a < b;
  }
  return false;
}

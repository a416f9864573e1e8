/** The oldest Node that runs this program: `engines` of package.json. */
export const oldestNode = "20.19.0";

/** Undefined if it can, or is unknown. Must parse in Node 12, as the command loads it first: no `?.`, no `??`. */
export function nodeProblem(version: string | undefined): { message: string; hint: string } | undefined {
  if (version === undefined || !isOlder(version, oldestNode)) return undefined;
  return {
    message: `Offprint needs Node ${oldestNode} or later. This is Node ${version}.`,
    hint: "Install a long-term support release of Node: https://nodejs.org/",
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

import { packageFile } from "../lib/package-file.js";

/** The commit that the build noted; undefined if it was made outside a checkout. */
export function builtCommit(): string | undefined {
  try {
    const text = packageFile("dist/commit").trim();
    return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

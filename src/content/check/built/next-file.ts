import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Next keeps what is not HTML elsewhere: the pages below `.next/server/app`, the rest in `.next/static` and `public`.
 * Undefined if no such file is there.
 */
export function nextFile(folder: string, path: string): string | undefined {
  if (!/[\\/]\.next[\\/]server[\\/]app$/.test(folder)) return undefined;
  const name = path.replace(/^\/_next\//, "");
  const file = name === path ? join(folder, "../../../public", path) : join(folder, "../..", name);
  return existsSync(file) ? file : undefined;
}

import { basename, dirname } from "node:path";
import { configFileName } from "../config-file.js";

/** What a space may be called: its name becomes that of a folder, a segment of an address, a word of a command line. */
export const spaceNameText = "letters, digits, -, _ and ., the first a letter or digit, 64 of them at most";

/** Whether a space may be called so. */
export function isSpaceName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name);
}

/** The name that a file gives its space: `news` for `spaces/news.yaml`, `shop` for `shop/sync.config.yaml`. */
export function nameOfFile(path: string): string {
  const name = basename(path);
  return name === configFileName ? basename(dirname(path)) : name.replace(/\.ya?ml$/i, "");
}

/** The name with what no space may be called replaced. */
export function safeName(name: string): string {
  const safe = name
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64)
    .replace(/[.-]+$/, "");
  return safe === "" ? "space" : safe;
}

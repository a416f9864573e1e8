import { readFile, writeFile } from "node:fs/promises";

/**
 * Writes a file that is printed from the sources or, with `--check` among the arguments, compares it and sets the exit
 * code to 1 when it is not what would be printed. Paths are relative to the working folder, the root of the repository.
 */
export async function printFile(path: string, text: string, args: readonly string[]): Promise<void> {
  if (!args.includes("--check")) return writeFile(path, text);
  const current = await readFile(path, "utf8").catch(() => "");
  if (current === text) return;
  process.stderr.write(`${path} is not up to date: run the same command without --check\n`);
  process.exitCode = 1;
}

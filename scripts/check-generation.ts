import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { placeOf, runExample } from "./example-copy.js";
import { runProcess } from "./run-process.js";

/**
 * Looks whether a built site names its generation by itself, and whether the command finds that: `check --built` without an
 * error in the site, `status --since` with the exit code that says if there is anything to deploy.
 *
 * @param folder of the project
 * @param built the folder of the site in it
 * @param of the generation that was built
 * @param current the generation that the snapshot has now
 */
export async function checkGeneration(folder: string, built: string, of: number, current: number): Promise<void> {
  const file = join(folder, built, "offprint.json");
  const { generation }: { generation?: unknown } = JSON.parse(await readFile(file, "utf8"));
  if (generation !== of) throw new Error(`${file} names the generation ${String(generation)}, not ${of}`);
  const told = await runExample("npx", ["--no-install", "offprint", "check", "--built"], folder);
  const isCurrent = of === current;
  const note = isCurrent ? ", the current one." : `: held against that one. The current one is ${current}.`;
  if (!told.includes(`The build is of generation ${of}${note}`)) throw new Error(`check --built said\n${told}`);
  const status = ["--no-install", "offprint", "status", "--offline", "--since", file, "--exit-code"];
  const { code, text } = await runProcess("npx", status, placeOf(folder));
  if (code !== (isCurrent ? 9 : 0)) throw new Error(`status --since ended with ${code}\n${text}`);
}

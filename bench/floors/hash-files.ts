import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The least that proving files whole takes: reads and hashes each file below a folder, and with `parse` looks whether it is JSON.
 * `hash-files <dir> [parse]` prints how many there are.
 */
const [dir = "", parse] = process.argv.slice(2);
let count = 0;
for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const bytes = await readFile(join(entry.parentPath, entry.name));
  createHash("sha256").update(bytes).digest("hex");
  if (parse !== undefined) JSON.parse(bytes.toString());
  count++;
}
process.stdout.write(JSON.stringify({ count }));

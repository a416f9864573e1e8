import { open, rename } from "node:fs/promises";

/** Writes a file under another name, makes it durable, and gives it its name. The folder is to be synced after it. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(`${path}.new`, "wx");
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync();
  await folder.close();
}

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseAs } from "../lib/parse-as.js";
import { parkedFile } from "../snapshot/layout.js";
import { openFileStore } from "../snapshot/store/file-store.js";
import { type Refusal, refusalShape } from "./parking.js";

export type ParkedNote = ReturnType<typeof parkedNote>;

/**
 * A file in the output folder while `watch` has parked the space: `status` reads it, and `offprint resume` removes it,
 * which the process notices.
 */
export function parkedNote(dir: string) {
  const files = openFileStore(dir, { rebuildable: true });
  const read = async () => parseAs(await files.get(parkedFile), refusalShape);
  return {
    read,
    write: (refusal: Refusal) => files.replace(parkedFile, Buffer.from(`${JSON.stringify(refusal)}\n`)),
    /** @returns whether there was one */
    async remove(): Promise<boolean> {
      const isThere = (await read()) !== undefined;
      await rm(join(dir, parkedFile), { force: true });
      return isThere;
    },
  };
}

import { OffprintError } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { machineTimeZone, wallTimeText } from "../lib/zoned-time.js";
import { listGenerations, readManifest, tryManifest } from "../snapshot/current-manifest.js";
import { generationFile } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Store } from "../snapshot/store/store.js";
import { parseTime, timeExamples } from "./parse-time.js";
import type { Terminal } from "./terminal.js";

type Teller = Pick<Terminal, "say">;

/** The kept generation before another one. @throws OffprintError `SNAPSHOT_MISSING` */
async function manifestBefore(store: Store, after: Manifest): Promise<Manifest> {
  const earlier = (await listGenerations(store)).filter((generation) => generation < after.generation).at(-1);
  if (earlier !== undefined) return readManifest(store, earlier);
  throw new OffprintError("SNAPSHOT_MISSING", `There is no generation before ${after.generation} to compare with.`, {
    hint: "The next sync that finds something new makes one; output.keepGenerations says how many are kept.",
  });
}

/** The generation of this number or time; without a name, the kept one before `after`. */
export function sinceGeneration(
  terminal: Teller,
  store: Store,
  after: Manifest,
  since: number | string | undefined,
): Promise<Manifest> {
  return since === undefined ? manifestBefore(store, after) : namedGeneration(terminal, store, since, "--since");
}

/** The generation of this number, or the one that was current at this time. */
export async function namedGeneration(
  terminal: Teller,
  store: Store,
  name: number | string,
  flag: "--at" | "--since",
): Promise<Manifest> {
  return typeof name === "number" ? readManifest(store, name) : generationAt(terminal, store, name, flag);
}

/**
 * The newest kept generation committed at this time or before, and says which. For `--since`, the oldest kept one if
 * all are later.
 * @throws OffprintError `USAGE` for another text or a future time, `SNAPSHOT_MISSING` for `--at` before the oldest kept
 */
async function generationAt({ say }: Teller, store: Store, text: string, flag: "--at" | "--since"): Promise<Manifest> {
  const [nowMs, timeZone] = [Date.now(), machineTimeZone()];
  const atMs = pastTime(text, nowMs, timeZone, flag);
  const kept = await listGenerations(store);
  let later: Manifest | undefined;
  for (const generation of kept.toReversed()) {
    const { manifest } = await tryManifest(store, generationFile(generation), generation);
    if (manifest === undefined) continue;
    if (Date.parse(manifest.committedAt) <= atMs) {
      const isThinned = later !== undefined && later.previous !== generation;
      const when = `${wallTimeText(atMs, timeZone)} (${timeZone})`;
      const committed = `committed ${wallTimeText(Date.parse(manifest.committedAt), timeZone)}`;
      say(
        isThinned
          ? `At ${when}: generation ${generation}, ${committed}, is the newest that is still kept.`
          : `At ${when}, generation ${generation} was current, ${committed}.`,
      );
      return manifest;
    }
    later = manifest;
  }
  if (later === undefined) {
    throw new OffprintError("SNAPSHOT_MISSING", "No generation is kept.", { hint: "Run `offprint sync` first." });
  }
  const oldest = wallTimeText(Date.parse(later.committedAt), timeZone);
  const isPruned = later.previous !== null && !kept.includes(later.previous);
  const more = isPruned ? " output.keep keeps more." : "";
  const message = `No generation is kept of ${wallTimeText(atMs, timeZone)} (${timeZone}) or before.`;
  if (flag === "--since") {
    say(`${message} The oldest kept one is generation ${later.generation}, committed ${oldest}.${more}`);
    return later;
  }
  throw new OffprintError("SNAPSHOT_MISSING", message, {
    hint: `The oldest kept one is generation ${later.generation}: ${flag} "${oldest}".${more}`,
  });
}

/** @throws OffprintError `USAGE` */
function pastTime(text: string, nowMs: number, timeZone: string, flag: "--at" | "--since"): number {
  const time = parseTime(text, { nowMs, timeZone });
  if (time === undefined) {
    const fault = flag === "--since" ? "neither the number of a generation nor a time" : "not a time";
    throw new OffprintError("USAGE", `${flag} "${printable(text)}" is ${fault}.`, { hint: `Write ${timeExamples}.` });
  }
  if (time.startMs <= nowMs) return Math.min(time.endMs, nowMs);
  throw new OffprintError("USAGE", `${flag} "${printable(text)}" is in the future.`, {
    hint: `It is ${wallTimeText(nowMs, timeZone)} now (${timeZone}).`,
  });
}

/** @throws OffprintError `USAGE` if a generation is named by a time and in another way, too */
export function assertOneName(flag: string, other: string | undefined): void {
  if (other === undefined) return;
  throw new OffprintError("USAGE", `${flag} names a generation by its time, and ${other} names one as well.`, {
    hint: "Keep one of the two.",
  });
}

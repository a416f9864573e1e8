import { OffprintError } from "../../lib/errors.js";
import { currentManifest, listGenerations, readManifest } from "../current-manifest.js";
import { damagedFile } from "../damaged-file.js";
import { generationFile, manifestFile, parts as partNames } from "../layout.js";
import type { Manifest } from "../manifest.js";
import { parseManifest } from "../manifest-text.js";
import type { ReadFiles, Store } from "../store/store.js";
import { namedFiles, unnamedFiles } from "../write/prune.js";
import { collect, emptyReport, type Verification, type VerifyReport, verifyPart } from "./verify-part.js";

export interface VerifyOptions {
  /** Every kept generation is looked at, not only the current one. */
  all?: boolean;
  /** Every record is parsed too, and looked at for its key, its place and the fields that it is known by. */
  deep?: boolean;
}

/**
 * Reads every file that the current generation names (`all`: every kept generation) and checks sizes, hashes, counts
 * and asset bytes: that they are what was committed. `deep` finds records that should never have been committed. Shards that
 * generations share are read once. Changes nothing.
 * @throws OffprintError `SNAPSHOT_MISSING` when there is no snapshot, `SNAPSHOT_DAMAGED` when no manifest can be read,
 * `SNAPSHOT_FORMAT`.
 */
export async function verifySnapshot(files: Store, options: VerifyOptions = {}): Promise<VerifyReport> {
  const store = files.atOrigin?.() ?? files;
  const current = await currentManifest(store);
  if (current === undefined) {
    throw new OffprintError("SNAPSHOT_MISSING", "There is no snapshot to verify.", {
      hint: "Run `offprint sync` first.",
    });
  }
  const report = emptyReport(current.generation);
  const damagedManifests = await checkPointer(store, current, report);
  const kept = await keptManifests(store, current, report);
  const others = options.all === true ? kept.filter((manifest) => manifest !== current) : [];
  const verification: Verification = { store, report, looked: new Map(), isDeep: options.deep === true };
  const damaged = await damageOf(verification, current);
  for (const manifest of others) {
    // Damage in an older generation is a problem, but a sync repairs the current one only.
    const names = await damageOf(verification, manifest);
    if (names.length > 0) report.damagedGenerations.push(manifest.generation);
  }
  report.damaged = sortedNames([...damagedManifests, ...damaged]);
  report.damagedGenerations.sort((a, b) => a - b);
  report.generations.sort((a, b) => a - b);
  report.orphans = await findOrphans(store, kept);
  return report;
}

/**
 * What is damaged in a generation: names of parts, and of asset files whose part is whole; sorted. Reads every file
 * of it, and parses every record.
 * @throws OffprintError when a file cannot be read at all.
 */
export async function findDamage(files: Store, manifest: Manifest): Promise<string[]> {
  const store = files.atOrigin?.() ?? files;
  const report = emptyReport(manifest.generation);
  return sortedNames(await damageOf({ store, report, looked: new Map(), isDeep: true }, manifest));
}

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** Checks the parts of a generation. @returns the names of what is damaged, some of them more than once */
async function damageOf(verification: Verification, manifest: Manifest): Promise<string[]> {
  const { report } = verification;
  const damaged: string[] = [];
  report.generations.push(manifest.generation);
  for (const { name } of manifest.editions) {
    const part = partNames.stories(name);
    if (manifest.parts[part] !== undefined) continue;
    report.problems.push(damagedFile(manifestFile, `names no stories for the edition ${name}`).toProblem());
    damaged.push(part);
  }
  for (const [part, entry] of Object.entries(manifest.parts))
    damaged.push(...(await verifyPart(verification, part, entry)));
  return damaged;
}

/** Checks that the pointer and the file of the current generation hold the same manifest. @returns those that do not */
async function checkPointer(store: ReadFiles, current: Manifest, report: VerifyReport): Promise<string[]> {
  const damaged: string[] = [];
  for (const file of [manifestFile, generationFile(current.generation)]) {
    const isWhole = await collect(report, async () => {
      const bytes = await store.get(file);
      if (bytes === undefined) throw damagedFile(file, `is missing: expected generation ${current.generation}`);
      report.files++;
      report.bytes += bytes.length;
      const found = parseManifest(bytes, file);
      if (found.checksum === current.checksum) return;
      throw damagedFile(file, `holds generation ${found.generation}: expected ${current.generation}`);
    });
    if (!isWhole) damaged.push(file);
  }
  return damaged;
}

/** All manifests that can be read, ascending; any other is a problem. */
async function keptManifests(store: ReadFiles, current: Manifest, report: VerifyReport): Promise<Manifest[]> {
  const manifests = new Map<number, Manifest>();
  for (const generation of await listGenerations(store)) {
    if (generation === current.generation) continue;
    const isWhole = await collect(report, async () => {
      manifests.set(generation, await readManifest(store, generation));
      report.files++;
    });
    if (!isWhole && generation < current.generation) report.damagedGenerations.push(generation);
  }
  manifests.set(current.generation, current);
  return [...manifests.values()].sort((a, b) => a.generation - b.generation);
}

/** Files that no kept generation names; none when the assets of one cannot be read, because then they are not known. */
async function findOrphans(store: ReadFiles, kept: readonly Manifest[]): Promise<string[]> {
  try {
    return await unnamedFiles(store, await namedFiles(store, kept));
  } catch (error) {
    if (error instanceof OffprintError) return [];
    throw error;
  }
}

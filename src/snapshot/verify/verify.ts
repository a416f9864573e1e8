import { OffprintError } from "../../lib/errors.js";
import { currentManifest, listGenerations, readManifest } from "../current-manifest.js";
import { damagedFile } from "../damaged-file.js";
import { generationFile, manifestFile, parts as partNames } from "../layout.js";
import type { Manifest } from "../manifest.js";
import { parseManifest } from "../manifest-text.js";
import type { ReadFiles, Store } from "../store/store.js";
import { namedFiles, unnamedFiles } from "../write/prune.js";
import { collect, emptyReport, type Verification, type VerifyReport, verifyPart } from "./verify-part.js";
import type { VerifyShare } from "./verify-share.js";

export interface VerifyOptions {
  /** Checks every kept generation, not only the current one. */
  all?: boolean;
  /** Also parses every record, and checks its key, its place and its identifying fields. */
  deep?: boolean;
  /** Checks one share of shards, assets and content files, and all manifests and lists of assets. */
  part?: VerifyShare;
}

/**
 * Checks sizes, hashes, counts and asset bytes. Reads shared shards once, changes nothing.
 * @throws OffprintError `SNAPSHOT_MISSING`, `SNAPSHOT_DAMAGED` if no manifest can be read, `SNAPSHOT_FORMAT`
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
  const verification: Verification = {
    store,
    report,
    looked: new Map(),
    isDeep: options.deep === true,
    share: options.part,
  };
  const damaged = await damageOf(verification, current);
  for (const manifest of others) {
    // Damage in an older generation is a problem, but a sync repairs only the current one.
    const names = await damageOf(verification, manifest);
    if (names.length > 0) report.damagedGenerations.push(manifest.generation);
  }
  report.damaged = sortedNames([...damagedManifests, ...damaged]);
  report.damagedGenerations.sort((a, b) => a - b);
  report.generations.sort((a, b) => a - b);
  report.orphans = await findOrphans(store, kept);
  return report;
}

/** Names of damaged parts, and of asset files whose part is whole; sorted. Parses every record. */
export async function findDamage(files: Store, manifest: Manifest): Promise<string[]> {
  const store = files.atOrigin?.() ?? files;
  const report = emptyReport(manifest.generation);
  return sortedNames(await damageOf({ store, report, looked: new Map(), isDeep: true }, manifest));
}

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** Checks a generation's parts. @returns the names of damaged items; may repeat */
async function damageOf(verification: Verification, manifest: Manifest): Promise<string[]> {
  const { report } = verification;
  const damaged: string[] = [];
  report.generations.push(manifest.generation);
  for (const { name } of manifest.editions) {
    const part = partNames.stories(name);
    if (manifest.parts[part] !== undefined) continue;
    report.problems.push(damagedFile(manifestFile, `has no stories for the edition ${name}`).toProblem());
    damaged.push(part);
  }
  for (const [part, entry] of Object.entries(manifest.parts))
    damaged.push(...(await verifyPart(verification, part, entry)));
  return damaged;
}

/** Compares the pointer with the current generation's file. @returns those that differ */
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
      throw damagedFile(file, `has generation ${found.generation}: expected ${current.generation}`);
    });
    if (!isWhole) damaged.push(file);
  }
  return damaged;
}

/** All readable manifests, ascending; any other is a problem. */
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

/** Files that no kept generation uses; empty if some generation's assets cannot be read. */
async function findOrphans(store: ReadFiles, kept: readonly Manifest[]): Promise<string[]> {
  try {
    return await unnamedFiles(store, await namedFiles(store, kept));
  } catch (error) {
    if (error instanceof OffprintError) return [];
    throw error;
  }
}

import { OffprintError, type Problem } from "../../lib/errors.js";

export interface VerifyReport {
  /** The current generation. */
  generation: number;
  /** All generations that were checked, ascending. */
  generations: number[];
  /** Files that were read: manifests, shards and assets. */
  files: number;
  bytes: number;
  records: number;
  assets: number;
  /** `SNAPSHOT_DAMAGED` with the file and what was expected; empty: the snapshot is whole. */
  problems: Problem[];
  /** What is damaged in the current generation: names of parts, asset files and manifest files; sorted. */
  damaged: string[];
  /** Kept generations before the current one that are damaged, ascending: no sync can read them again. */
  damagedGenerations: number[];
  /** Files that no kept generation names. An interrupted run left them, and a later sync removes them: no damage. */
  orphans: string[];
}

export function emptyReport(generation: number): VerifyReport {
  const counts = { files: 0, bytes: 0, records: 0, assets: 0 };
  return { generation, generations: [], ...counts, problems: [], damaged: [], damagedGenerations: [], orphans: [] };
}

/**
 * Runs one check. Damage that it throws becomes a problem.
 * @returns whether there was none
 */
export async function collect({ problems }: VerifyReport, check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    if (!(error instanceof OffprintError)) throw error;
    problems.push(error.toProblem());
    return false;
  }
}

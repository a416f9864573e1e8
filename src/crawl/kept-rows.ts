import { missing } from "../json/characters.js";
import { shardFile } from "../snapshot/layout.js";
import type { PartEntry } from "../snapshot/manifest.js";
import type { StoreEntry } from "../store/store.js";
import { StagedRow } from "./staged-row.js";
import type { StagedRows } from "./staged-rows.js";
import type { Workspace } from "./workspace.js";

/** The rows of one shard, and the file that they were read from. */
interface KeptShard {
  rows: readonly StagedRow[];
  file: StoreEntry | undefined;
}

/**
 * The staged rows of one version, which stay in memory from one sync to the next. What is kept of a shard is good for
 * exactly that shard, by its hash, and for as long as its file is the one that was read, by size and time: another
 * process may have committed, rolled back, or damaged it.
 */
export class KeptRows {
  /** By file name. */
  readonly #shards = new Map<string, KeptShard>();
  readonly #rows = new Map<string, StagedRow>();
  #entry: PartEntry | undefined;

  /** By uuid, as of {@link entry}. Not to be read while {@link bringTo} runs: then they are partly of the state before. */
  get rows(): ReadonlyMap<string, StagedRow> {
    return this.#rows;
  }

  /** The state of the part that the rows are of; undefined: of none. */
  get entry(): PartEntry | undefined {
    return this.#entry;
  }

  /** The rows as those that are staged in this state of the part, which {@link bringTo} brings them to. */
  asStaged(entry: PartEntry | undefined): StagedRows {
    const rows = this.#rows;
    return {
      entry,
      rows,
      recall: (uuid) => rows.get(uuid),
      numberAt: () => missing,
      holds: (row) => row instanceof StagedRow && row.stagedIn === rows,
    };
  }

  /**
   * Reads the shards that are not kept.
   * @param swept Rows of the last sweep. Where one has the same text, it is used, so that the text is in memory once.
   * @throws OffprintError `SNAPSHOT_DAMAGED`; nothing is kept then
   */
  async bringTo(workspace: Workspace, part: string, swept: ReadonlyMap<string, unknown> = new Map()): Promise<void> {
    const entry = workspace.parts[part];
    try {
      const files = new Map((await workspace.files(part)).map((file) => [file.name, file]));
      const dropped = this.#drop(part, entry, files);
      const missing = (entry?.shards ?? []).filter((shard) => !this.#shards.has(shardFile(part, shard)));
      let at = 0;
      for await (const lines of workspace.shards(part, missing)) {
        const rows = lines.map(
          ({ key, line }) => sameRow(line, dropped.get(key), swept.get(key)) ?? keptRow(key, line),
        );
        const name = shardFile(part, missing[at++]!);
        this.#shards.set(name, { rows, file: files.get(name) });
        for (const row of rows) {
          row.stagedIn = this.#rows;
          this.#rows.set(row.uuid, row);
        }
      }
      this.#entry = entry;
    } catch (error) {
      this.#shards.clear();
      this.#rows.clear();
      this.#entry = undefined;
      throw error;
    }
  }

  /** Drops the shards that the part lacks or whose file is another one. @returns their rows */
  #drop(part: string, entry: PartEntry | undefined, files: ReadonlyMap<string, StoreEntry>): Map<string, StagedRow> {
    const wanted = new Set(entry?.shards.map((shard) => shardFile(part, shard)));
    const dropped = new Map<string, StagedRow>();
    for (const [name, { rows, file }] of this.#shards) {
      if (wanted.has(name) && isSameFile(file, files.get(name))) continue;
      this.#shards.delete(name);
      for (const row of rows) {
        row.stagedIn = undefined;
        dropped.set(row.uuid, row);
        this.#rows.delete(row.uuid);
      }
    }
    return dropped;
  }
}

/** A row with a copy of its text: a part of a larger text would keep all of that in memory. */
export function keptRow(uuid: string, text: string): StagedRow {
  const copy = Buffer.from(text).toString();
  return new StagedRow(uuid, copy === text ? copy : text);
}

/** The first of these rows that has exactly this text; undefined: none has. */
function sameRow(text: string, ...rows: readonly unknown[]): StagedRow | undefined {
  return rows.find((row): row is StagedRow => row instanceof StagedRow && row.text === text);
}

/** What happens to a file while the process stays has to show as it would to a new process, which reads it. */
function isSameFile(file: StoreEntry | undefined, now: StoreEntry | undefined): boolean {
  return now !== undefined && now.size === file?.size && now.modifiedMs === file.modifiedMs;
}

import { parts } from "../snapshot/layout.js";
import type { PartEntry } from "../snapshot/manifest.js";
import { keyedLines, withinShard } from "../snapshot/read-part.js";
import type { IndexMemory } from "./index-memory.js";
import type { Index, IndexRow } from "./index-row.js";
import { KeptRows } from "./kept-rows.js";
import { PackedRows } from "./packed-rows.js";
import { storiesById } from "./row-ids.js";
import { RowTable } from "./row-table.js";
import { PackedStagedRows, type StagedRows } from "./staged-rows.js";
import { type KeptSweep, SweptPages } from "./swept-pages.js";
import type { Workspace } from "./workspace.js";

/** The most of a version's index that stays in memory between syncs, in bytes of its part: that of half a million stories. */
const keptBytes = 256 * 1024 * 1024;

/** The rows of one sweep. */
export interface SweptRows {
  /** Those that `source.include` wants. */
  rows: Index;
  /** The others, where a relation may make them wanted; else empty. */
  beyond: Index;
}

/** The index of one version: as it was swept last, and as its rows are staged. */
export class VersionIndex {
  readonly #version: string;
  readonly #part: string;
  readonly #workspace: Workspace;
  readonly #memory: IndexMemory | undefined;
  #rows: Index = new Map();
  #swept: SweptRows = { rows: new Map(), beyond: new Map() };
  #isSwept = false;
  #hasNamelessRows = false;
  /** Uuids that stood twice on one page of a sweep. */
  readonly repeated = new Set<string>();
  #related: ReadonlySet<string> = new Set();
  #byId: ((id: number) => IndexRow | undefined) | undefined;
  #staged: StagedRows | undefined;
  /** Every row that was read but for those that are kept: a row that comes again as it was is there once. */
  readonly packed = new PackedRows();
  /** With a memory: the staged rows, and the sweep of the sync before until one of this sync has used it. */
  #kept: KeptRows | undefined;
  #sweepBefore: KeptSweep | undefined;
  #pages: SweptPages | undefined;

  /** @param memory What is kept of the index from one sync of the process to the next. */
  constructor(version: string, workspace: Workspace, memory?: IndexMemory) {
    this.#version = version;
    this.#part = parts.links(version);
    this.#workspace = workspace;
    // How large an index gets that nothing is staged of shows when it is there.
    const keeps = isKept(workspace.parts[this.#part]);
    if (!keeps) memory?.take(version);
    this.#memory = keeps ? memory : undefined;
  }

  /** False until the index was read. */
  get isSwept(): boolean {
    return this.#isSwept;
  }

  /** The rows that are wanted, of those that were swept last; empty before. */
  get rows(): Index {
    return this.#rows;
  }

  /** The rows as swept last. */
  get swept(): SweptRows {
    return this.#swept;
  }

  /** Whether the listing had rows that do not tell of which story they are. */
  get hasNamelessRows(): boolean {
    return this.#hasNamelessRows;
  }

  /** Whether the story is wanted because another one names it. */
  isRelated(uuid: string): boolean {
    return this.#related.has(uuid);
  }

  /** @param pages The pages that the rows came in, where they may be kept. */
  set(rows: Index, hasNamelessRows = false, beyond: Index = new Map(), pages?: SweptPages): void {
    this.#hasNamelessRows = hasNamelessRows;
    this.#swept = { rows, beyond };
    this.#pages = pages;
    this.#isSwept = true;
    this.relate(this.#related);
  }

  /** Wants these stories too, and no others that `source.include` leaves out. */
  relate(uuids: ReadonlySet<string>): void {
    this.#related = uuids;
    const { rows, beyond } = this.#swept;
    const more = [...uuids].flatMap((uuid) => beyond.get(uuid) ?? []).filter(({ isFolder }) => !isFolder);
    this.#rows = more.length === 0 ? rows : withRows(rows, more);
    this.#byId = undefined;
  }

  /** The row of a story by its id. */
  readonly rowOfId = (id: number): IndexRow | undefined => {
    // Made when the first neighbour is looked for: most syncs look for none.
    this.#byId ??= storiesById(this.#rows);
    return this.#byId(id);
  };

  /** Reads the staged rows: `staged` fills until `loaded` is settled, so that the pages of a sweep can come meanwhile. */
  readStaged(): { staged: StagedRows; loaded: Promise<void> } {
    const entry = this.#workspace.parts[this.#part];
    if (this.#memory === undefined) {
      const staged = new PackedStagedRows(entry, this.packed, this.#swept.rows);
      const loaded = this.#load(staged);
      staged.ready = loaded.catch(() => undefined);
      return { staged, loaded };
    }
    const taken = this.#kept === undefined ? this.#memory.take(this.#version) : undefined;
    this.#kept ??= taken?.staged ?? new KeptRows();
    this.#sweepBefore = taken?.sweep;
    const staged = this.#kept.asStaged(entry);
    const swept = taken?.sweep?.rows ?? this.#rows;
    return {
      staged,
      loaded: this.#kept.bringTo(this.#workspace, this.#part, swept).then(() => this.#setStaged(staged)),
    };
  }

  async #load(staged: PackedStagedRows): Promise<void> {
    const part = this.#part;
    const keyOf = (line: string) => keyedLines(part, [line])[0]!.key;
    for await (const { shard, bytes, lines } of this.#workspace.located(part)) {
      withinShard(part, shard, () => staged.addLines(bytes, lines, keyOf));
    }
    this.#setStaged(staged);
  }

  #setStaged(staged: StagedRows): void {
    this.#staged = staged;
  }

  /** The staged rows as of the last fold; read once for each state of them. */
  async staged(): Promise<StagedRows> {
    if (this.#staged?.entry === this.#workspace.parts[this.#part] && this.#staged !== undefined) return this.#staged;
    const { staged, loaded } = this.readStaged();
    await loaded;
    return staged;
  }

  /** The staged rows as they were last read, for a sweep that may meet them again. */
  get lastStaged(): StagedRows | undefined {
    return this.#staged;
  }

  /**
   * For a sweep of the whole index: takes its pages, knows those of the sync before, and is handed to {@link set} with
   * the rows. Undefined where nothing is kept.
   */
  openPages(): SweptPages | undefined {
    if (this.#memory === undefined) return undefined;
    const before = this.#sweepBefore;
    this.#sweepBefore = undefined;
    return new SweptPages(before);
  }

  /** Leaves what is known to the next sync of the process; nothing here is to be used after that. */
  giveBack(): void {
    if (this.#kept === undefined || !isKept(this.#kept.entry)) return;
    this.#memory?.give(this.#version, { staged: this.#kept, sweep: this.#pages?.toKeep(this.#kept.rows) });
  }

  /** Frees what the rows take on the disk: none that is not kept is to be used afterwards. */
  close(): void {
    this.packed.close();
  }
}

function isKept(entry: PartEntry | undefined): boolean {
  return entry !== undefined && entry.shards.reduce((sum, { bytes }) => sum + bytes, 0) <= keptBytes;
}

function withRows(rows: Index, more: readonly IndexRow[]): Index {
  if (rows instanceof RowTable) return rows.with(more);
  return new Map([...rows, ...more.map((row) => [row.uuid, row] as const)]);
}

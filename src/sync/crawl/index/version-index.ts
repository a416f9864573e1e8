import type { SparseLink } from "../../../contract/records.js";
import { parts } from "../../../snapshot/layout.js";
import { keyedLines, withinShard } from "../../../snapshot/read-part.js";
import type { RecordText } from "../../upstream/answer.js";
import type { Workspace } from "../run/workspace.js";
import type { IndexRow } from "./index-row.js";
import { PackedRows } from "./packed-rows.js";
import { RowTable, storiesById } from "./row-table.js";
import { StagedRows } from "./staged-rows.js";

export interface SweptRows {
  /** Those that `source.include` wants. */
  rows: RowTable;
  /** The others, if a relation may make them wanted; else empty. */
  beyond: RowTable;
  /** True if some rows do not say which story they belong to. */
  hasNamelessRows: boolean;
}

export class VersionIndex {
  readonly #part: string;
  readonly #workspace: Workspace;
  /** Every row that was read; one that comes again is stored once. */
  readonly packed = new PackedRows();
  /** The wanted rows of the last sweep; empty before the first. */
  rows = new RowTable(this.packed);
  swept: SweptRows = { rows: this.rows, beyond: new RowTable(this.packed), hasNamelessRows: false };
  isSwept = false;
  readonly repeated = new Set<string>();
  #related: ReadonlySet<string> = new Set();
  #byId: ((id: number) => IndexRow | undefined) | undefined;
  /** The staged rows as last read. */
  lastStaged: StagedRows | undefined;

  constructor(version: string, workspace: Workspace) {
    this.#part = parts.links(version);
    this.#workspace = workspace;
  }

  /** True if the story is wanted because another one names it. */
  isRelated(uuid: string): boolean {
    return this.#related.has(uuid);
  }

  /** Replaces the rows by those of another kind of listing, for records that no index shows. */
  derive(records: readonly RecordText<SparseLink>[]): void {
    const rows = new RowTable(this.packed, records.length);
    this.set({ rows: rows.with(records), beyond: new RowTable(this.packed), hasNamelessRows: false });
  }

  set(swept: SweptRows): void {
    this.swept = swept;
    this.isSwept = true;
    this.relate(this.#related);
  }

  /** Also wants these stories, and no others that `source.include` leaves out. */
  relate(uuids: ReadonlySet<string>): void {
    this.#related = uuids;
    const { rows, beyond } = this.swept;
    const more = [...uuids].flatMap((uuid) => beyond.get(uuid) ?? []).filter(({ isFolder }) => !isFolder);
    this.rows = more.length === 0 ? rows : rows.with(more);
    this.#byId = undefined;
  }

  readonly rowOfId = (id: number): IndexRow | undefined => {
    // Created when the first neighbour is looked up: most syncs look up none.
    this.#byId ??= storiesById(this.rows);
    return this.#byId(id);
  };

  /** Reads the staged rows. `staged` fills until `loaded` settles; a sweep can run meanwhile. */
  readStaged(): { staged: StagedRows; loaded: Promise<void> } {
    const staged = new StagedRows(this.#workspace.parts[this.#part], this.packed, this.swept.rows);
    const loaded = this.#load(staged);
    staged.ready = loaded.catch(() => undefined);
    return { staged, loaded };
  }

  async #load(staged: StagedRows): Promise<void> {
    const part = this.#part;
    const keyOf = (line: string) => keyedLines(part, [line])[0]!.key;
    for await (const { shard, bytes, lines } of this.#workspace.located(part)) {
      withinShard(part, shard, () => staged.addLines(bytes, lines, keyOf));
    }
    this.lastStaged = staged;
  }

  /** The staged rows as of the last fold; read once for each state. */
  async staged(): Promise<StagedRows> {
    if (this.lastStaged?.entry === this.#workspace.parts[this.#part] && this.lastStaged !== undefined)
      return this.lastStaged;
    const { staged, loaded } = this.readStaged();
    await loaded;
    return staged;
  }

  /** Deletes the temporary file of the rows; none can be used afterwards. */
  close(): void {
    this.packed.close();
  }
}

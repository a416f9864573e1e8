import { bufferOver } from "../../../lib/buffer-over.js";
import { missing } from "../../../lib/json/characters.js";
import type { LinePositions } from "../../../lib/json/lines.js";
import type { PartEntry } from "../../../snapshot/manifest.js";
import type { PackedRows } from "./packed-rows.js";
import { findUuid, RowTable } from "./row-table.js";

/** A row without this text is not a folder. */
const folderMember = Buffer.from('"is_folder":true');

export class StagedRows {
  readonly entry: PartEntry | undefined;
  readonly rows: RowTable;
  /** Settled once all rows are there; never rejects. */
  ready: Promise<unknown> | undefined;
  readonly #before: RowTable | undefined;

  /** @param before Rows of `packed`: reused if the text is the same. */
  constructor(entry: PartEntry | undefined, packed: PackedRows, before?: RowTable) {
    this.entry = entry;
    this.rows = new RowTable(packed, entry?.records);
    this.#before = before;
  }

  add(uuid: string, text: string): void {
    const { rows } = this.rows;
    const before = this.#before?.numberOf(uuid) ?? -1;
    this.rows.add(before >= 0 && rows.textAt(before) === text ? before : rows.addText(uuid, text));
  }

  /** Adds the rows of a shard, most without decoding. @param lines positions of canonical JSON */
  addLines(shard: Uint8Array, { starts, ends }: LinePositions, keyOf: (text: string) => string): void {
    const bytes = bufferOver(shard);
    const first = starts[0] ?? 0;
    const isNew = (this.#before?.size ?? 0) === 0;
    const block = isNew ? this.rows.rows.addBlock(bytes, first, ends.at(-1) ?? first) : undefined;
    let folder = bytes.indexOf(folderMember);
    for (const [index, start] of starts.entries()) {
      const end = ends[index]!;
      if (folder >= 0 && folder < start) folder = bytes.indexOf(folderMember, start);
      const mayBeFolder = folder >= 0 && folder < end;
      const isAdded = block !== undefined && !mayBeFolder && this.#addWithin(block + start - first, bytes, start, end);
      if (isAdded) continue;
      const text = bytes.toString("utf8", start, end);
      this.add(keyOf(text), text);
    }
  }

  /** Adds a story's row whose text is in the log. @returns false if its uuid is unusual */
  #addWithin(at: number, bytes: Buffer, start: number, end: number): boolean {
    const { rows } = this.rows;
    const uuid = findUuid(bytes, start);
    if (uuid === missing) return false;
    const number = rows.addWithin(at, end - start, bytes, uuid);
    if (number < 0) return false;
    this.rows.add(number);
    return true;
  }
}

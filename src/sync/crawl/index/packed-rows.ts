import { parseLink } from "../../../contract/parse-record.js";
import type { SparseLink } from "../../../contract/records.js";
import { grown, UuidList } from "../../../lib/collections/uuid-list.js";
import { memberTextOrNull } from "../../../lib/json/member.js";
import type { RecordText } from "../../upstream/answer.js";
import type { IndexRow } from "./index-row.js";
import { byteLength, extentWithin, TextLog } from "./text-log.js";

/** In some 30 bytes each: texts are in a log, the rest is parsed from them. A row met again keeps its number. */
export class PackedRows {
  readonly uuids = new UuidList();
  readonly #log: TextLog;
  #at = new Float64Array(16);
  #extent = new Uint32Array(16);
  /** 1: it is a folder. */
  #folders = new Uint8Array(16);

  constructor(log: TextLog = new TextLog()) {
    this.#log = log;
  }

  /** @returns the number of the row, new or known */
  add(row: RecordText<SparseLink>): number {
    const known = this.numberOf(row);
    // A row without a folder flag may be a story, so it is requested.
    return known >= 0 ? known : this.addText(row.value.uuid, row.text, row.value.is_folder === true);
  }

  numberOf(row: RecordText<SparseLink>): number {
    return row instanceof PackedRow && row.from === this ? row.number : -1;
  }

  addText(uuid: string, text: string, isFolder = isFolderText(text)): number {
    const { at, extent } = this.#log.add(text);
    return this.#put(this.uuids.push(uuid), at, extent, isFolder);
  }

  /** Adds the bytes of many rows. @returns their position for {@link addWithin}, unless too many */
  addBlock(bytes: Uint8Array, start: number, end: number): number | undefined {
    return this.#log.addBlock(bytes, start, end);
  }

  /** A story's row within a block. @param bytes has its uuid at `uuidAt` @returns -1 unless that is in lower case */
  addWithin(at: number, length: number, bytes: Uint8Array, uuidAt: number): number {
    const number = this.uuids.pushFrom(bytes, uuidAt);
    return number < 0 ? number : this.#put(number, at, extentWithin(length), false);
  }

  #put(number: number, at: number, extent: number, isFolder: boolean): number {
    if (number >= this.#at.length) {
      this.#at = grown(this.#at, number + 1);
      this.#extent = grown(this.#extent, number + 1);
      this.#folders = grown(this.#folders, number + 1);
    }
    this.#at[number] = at;
    this.#extent[number] = extent;
    this.#folders[number] = isFolder ? 1 : 0;
    return number;
  }

  at(number: number): PackedRow {
    return new PackedRow(this, number);
  }

  textAt(number: number): string {
    return this.#log.text({ at: this.#at[number]!, extent: this.#extent[number]! });
  }

  /** True if the bytes at `start` are the text of a row, as UTF-8. */
  standsIn(bytes: Uint8Array, start: number, number: number): boolean {
    return this.#log.standsIn(bytes, start, { at: this.#at[number]!, extent: this.#extent[number]! });
  }

  /** Length in bytes of the text of a row that {@link standsIn} has found. */
  lengthAt(number: number): number {
    return byteLength(this.#extent[number]!);
  }

  isFolderAt(number: number): boolean {
    return this.#folders[number] === 1;
  }

  close(): void {
    this.#log.close();
  }
}

/** A packed row in use. */
export class PackedRow implements IndexRow, RecordText<SparseLink> {
  readonly from: PackedRows;
  readonly number: number;
  #text: string | undefined;
  #value: SparseLink | undefined;

  constructor(from: PackedRows, number: number) {
    this.from = from;
    this.number = number;
  }

  get uuid(): string {
    return this.from.uuids.at(this.number);
  }

  get text(): string {
    this.#text ??= this.from.textAt(this.number);
    return this.#text;
  }

  get isFolder(): boolean {
    return this.from.isFolderAt(this.number);
  }

  get value(): SparseLink {
    this.#value ??= parseLink(this.text);
    return this.#value;
  }

  get id(): number | undefined {
    return this.value.id ?? undefined;
  }

  get slug(): string | undefined {
    return this.value.slug ?? undefined;
  }

  get publishedAt(): string | null | undefined {
    return memberTextOrNull(this.text, "published_at");
  }

  get updatedAt(): string | null | undefined {
    return memberTextOrNull(this.text, "updated_at");
  }
}

export function isFolderText(text: string): boolean {
  // A text search is enough for most rows: without this text the field cannot be true.
  return text.includes('"is_folder":true') && parseLink(text).is_folder === true;
}

import { encodePath, findPath } from "../json/bytes.js";
import { backslash, closeBrace, quote } from "../json/characters.js";
import type { StagedRow } from "./staged-row.js";

/** The field of a row, and the member of its JSON. */
const members = { publishedAt: "published_at", updatedAt: "updated_at" } as const;

/** The newest of the dates that staged rows have in one field, found while they come in: later their texts may lie on the disk. */
export class NewestStaged {
  readonly #field: keyof typeof members;
  readonly #path: ReturnType<typeof encodePath>;
  readonly #key: Buffer;
  #newest: { uuid: string; number: number; date: string } | undefined;
  #date = Buffer.alloc(0);
  /** How far before the end of its row the member's value stood last: behind it, most rows are alike. */
  #beforeEnd = 0;

  constructor(field: keyof typeof members) {
    this.#field = field;
    this.#path = encodePath([members[field]]);
    this.#key = Buffer.from(`,"${members[field]}":`);
  }

  /** The row with the newest date; undefined: none has one. */
  get newest(): { uuid: string; number: number; date: string } | undefined {
    return this.#newest;
  }

  /** Takes a row that is not a folder's. */
  note(row: StagedRow, number: number): void {
    const date = row[this.#field];
    if (!date || date <= (this.#newest?.date ?? "")) return;
    this.#newest = { uuid: row.uuid, number, date };
    this.#date = Buffer.from(date);
  }

  /** Whether a row, which stands in some bytes as canonical JSON, may have a newer date: most rows need not be decoded. */
  mayBeNewer(bytes: Uint8Array, start: number, end: number): boolean {
    const value = this.#valueIn(bytes, start, end);
    if (bytes[value] !== quote) return false;
    for (let at = 0; ; at++) {
      const byte = bytes[value + 1 + at];
      if (byte === quote || byte === undefined) return false;
      const own = this.#date[at];
      if (own === undefined || byte === backslash || byte > 0x7e) return true;
      if (byte !== own) return byte > own;
    }
  }

  #valueIn(bytes: Uint8Array, start: number, end: number): number {
    const usual = end - this.#beforeEnd;
    if (usual > start && this.#isMember(bytes, usual, end)) return usual;
    const found = findPath(bytes, start, this.#path);
    if (found >= 0) this.#beforeEnd = end - found;
    return found;
  }

  /** Whether the member's value begins here: no object ends between it and the end of the row, so that it is the row's own. */
  #isMember(bytes: Uint8Array, value: number, end: number): boolean {
    const key = this.#key;
    for (let at = 1; at <= key.length; at++) if (bytes[value - at] !== key[key.length - at]) return false;
    for (let at = value; at < end - 1; at++) if (bytes[at] === closeBrace) return false;
    return true;
  }
}

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pieceBytes = 1024 * 1024;
/** How much stays in memory, in bytes: the rows of some 150,000 stories. */
const keptBytes = 64 * 1024 * 1024;

/** How a text is encoded: the first form is the faster one. */
const forms = ["latin1", "utf8"] as const;
/** Instead of a form: the text is too large for a piece, or cannot be UTF-8 (half of a surrogate pair). */
const whole = forms.length;

export interface TextPlace {
  at: number;
  /** Length in bytes, times four, plus its form. */
  extent: number;
}

/** Bytes in insertion order. Beyond 64 MB, in an unnamed temporary file, which disappears with the process. */
export class TextLog {
  readonly #keptPieces: number;
  readonly #pieceBytes: number;
  readonly #pieces: (Buffer | undefined)[] = [];
  /** Texts that are in no piece, by their offset. */
  readonly #whole = new Map<number, string>();
  #file: number | "none" | undefined;
  #end = 0;
  #scratch = Buffer.alloc(0);

  /** @param sizes for tests: size of a piece, and how much stays in memory, in bytes */
  constructor(sizes: { piece: number; kept: number } = { piece: pieceBytes, kept: keptBytes }) {
    this.#pieceBytes = sizes.piece;
    this.#keptPieces = Math.max(1, Math.floor(sizes.kept / sizes.piece));
  }

  add(text: string): TextPlace {
    const length = Buffer.byteLength(text);
    const form = length === text.length ? 0 : 1;
    if (length > this.#pieceBytes || (form === 1 && !text.isWellFormed())) {
      const at = this.#reserve(0);
      this.#whole.set(at, text);
      this.#end++;
      return { at, extent: whole };
    }
    const at = this.#reserve(length);
    this.#pieces[this.#pieces.length - 1]!.write(text, at % this.#pieceBytes, forms[form]);
    this.#end += length;
    return { at, extent: length * 4 + form };
  }

  /** @returns the offset, for {@link extentWithin}; undefined if it is too large for a piece */
  addBlock(bytes: Uint8Array, start: number, end: number): number | undefined {
    if (end - start > this.#pieceBytes) return undefined;
    const at = this.#reserve(end - start);
    this.#pieces[this.#pieces.length - 1]!.set(bytes.subarray(start, end), at % this.#pieceBytes);
    this.#end += end - start;
    return at;
  }

  /** True if the bytes at `start` are the text of a place; false if that is in no piece. */
  standsIn(bytes: Uint8Array, start: number, { at, extent }: TextPlace): boolean {
    if (extent % 4 === whole) return false;
    const length = byteLength(extent);
    if (start + length > bytes.length) return false;
    const piece = this.#pieces[Math.floor(at / this.#pieceBytes)];
    const from = piece === undefined ? 0 : at % this.#pieceBytes;
    const own = piece ?? this.#read(at, length);
    return own.compare(bytes, start, start + length, from, from + length) === 0;
  }

  text({ at, extent }: TextPlace): string {
    const form = forms[extent % 4];
    if (form === undefined) return this.#whole.get(at) as string;
    const length = byteLength(extent);
    const piece = this.#pieces[Math.floor(at / this.#pieceBytes)];
    if (piece !== undefined) {
      const from = at % this.#pieceBytes;
      return piece.toString(form, from, from + length);
    }
    return this.#read(at, length).toString(form, 0, length);
  }

  close(): void {
    if (typeof this.#file === "number") closeSync(this.#file);
    this.#file = "none";
    this.#pieces.length = 0;
    this.#whole.clear();
  }

  #reserve(length: number): number {
    const size = this.#pieceBytes;
    const opened = this.#pieces.length * size;
    if (this.#end + length <= opened && this.#end < opened) return this.#end;
    // The last piece is full: write it to the file, unless it is one of those that stay in memory.
    if (this.#pieces.length > this.#keptPieces) this.#store(this.#pieces.length - 1);
    this.#pieces.push(Buffer.allocUnsafeSlow(size));
    this.#end = opened;
    return opened;
  }

  #store(piece: number): void {
    const bytes = this.#pieces[piece];
    if (bytes === undefined) return;
    try {
      this.#file ??= openUnnamedFile();
      if (this.#file === "none") return;
      const at = (piece - this.#keptPieces) * this.#pieceBytes;
      if (writeSync(this.#file, bytes, 0, bytes.length, at) === bytes.length) this.#pieces[piece] = undefined;
    } catch {
      // No folder, no space, no permission: this piece and all later ones stay in memory.
      this.#file ??= "none";
    }
  }

  #read(at: number, length: number): Buffer {
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafeSlow(length * 2);
    const from = at - this.#keptPieces * this.#pieceBytes;
    let read = 0;
    while (read < length) {
      const count = readSync(this.#file as number, this.#scratch, read, length - read, from + read);
      if (count === 0) throw new Error("the temporary file of the index is shorter than it was written");
      read += count;
    }
    return this.#scratch;
  }
}

export function extentWithin(bytes: number): number {
  return bytes * 4 + forms.indexOf("utf8");
}

export function byteLength(extent: number): number {
  return Math.floor(extent / 4);
}

/** A file without a name: nothing remains of it, however the process ends. */
function openUnnamedFile(): number {
  const folder = mkdtempSync(join(tmpdir(), "offprint-index-"));
  try {
    return openSync(join(folder, "rows"), "w+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

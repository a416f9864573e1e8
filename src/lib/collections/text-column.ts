/** Texts by number, as bytes: a fraction of what as many strings take. */
export class TextColumn {
  length = 0;
  #bytes = Buffer.allocUnsafe(1 << 12);
  /** Where each text ends. */
  #ends = new Uint32Array(1 << 8);

  /** Adds a text behind the last one; of a lone surrogate another character is kept. */
  push(text: string): void {
    const start = this.#end();
    const end = start + Buffer.byteLength(text);
    if (end > this.#bytes.length) this.#bytes = enlarged(this.#bytes, Buffer.allocUnsafe(end * 2));
    if (this.length === this.#ends.length) this.#ends = enlarged(this.#ends, new Uint32Array(this.length * 2));
    this.#bytes.write(text, start);
    this.#ends[this.length++] = end;
  }

  at(index: number): string {
    return this.#bytes.toString("utf8", index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }

  #end(): number {
    return this.length === 0 ? 0 : this.#ends[this.length - 1]!;
  }
}

function enlarged<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

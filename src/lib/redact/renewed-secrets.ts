import { forgetSecret, registerSecret } from "./redact.js";

/** Enough for keys and tokens that requests under way still use. */
const keptSets = 6;

/** Secrets that are replaced by the hour. Old ones are forgotten, so that redaction stays quick for months. */
export class RenewedSecrets {
  #sets: (readonly string[])[] = [];

  register(texts: readonly (string | undefined)[]): void {
    const set = texts.filter((text) => text !== undefined);
    for (const secret of set) registerSecret(secret);
    this.#sets = [...this.#sets.filter((known) => known.join("\n") !== set.join("\n")), set];
    if (this.#sets.length <= keptSets) return;
    const old = this.#sets.shift()!;
    const kept = new Set(this.#sets.flat());
    for (const secret of old) if (!kept.has(secret)) forgetSecret(secret);
  }
}

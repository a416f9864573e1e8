import { recordSchemas } from "./record-schemas.js";
import { type ObjectShape, objectShape, type ValueShape } from "./shape-faults.js";

/** A key of an answer that the API does not describe, as far as this version knows it. */
export interface UnknownKey {
  /** The schema of the record that has it; `answer`: it stands beside the records. */
  kind: string;
  /** With the lists that it is in: `alternates.locale`. */
  key: string;
  /** The first record that had it. */
  example: string;
}

/** True for the keys that a newer version does not describe either. */
export function isUnknown({ kind, key }: UnknownKey): boolean {
  let shape: ObjectShape | undefined = objectShape(recordSchemas[kind] ?? {});
  for (const name of key.split(".")) {
    const known: ValueShape | undefined = shape?.get(name);
    if (known === undefined) return true;
    shape = known.inside;
  }
  return false;
}

export function sameKey(a: UnknownKey, b: UnknownKey): boolean {
  return a.kind === b.kind && a.key === b.key;
}

export function unknownKeyText({ kind, key, example }: UnknownKey): string {
  const name = JSON.stringify(key);
  return kind === "answer"
    ? `Answers have the list or value ${name}, which this version of Offprint does not know and does not store, for example ${example}.`
    : `Records of the type ${kind} have the key ${name}, which this version of Offprint does not know, for example ${example}. The snapshot keeps it.`;
}

import { type Misfit, misfit, type Reading } from "./value-kinds.js";

export interface StoreAddress {
  bucket: string;
  /** Without slashes at either end. Empty: the bucket's root. */
  prefix: string;
}

const expects = "an address such as s3://bucket/prefix";

/** True if a text is meant as a store address rather than a folder path. */
export function isStoreAddress(text: string): boolean {
  return /^s3:/i.test(text.trim());
}

/** Parses `s3://bucket/prefix`. Accepts only names that every storage takes unchanged; no segment is `.` or `..`. */
export function readStoreAddress(input: unknown): Reading<StoreAddress> {
  const written = typeof input === "string" ? input.trim() : "";
  const [, bucket, path = ""] = /^s3:\/\/([^/?#@]+)(?:\/(.*))?$/.exec(written) ?? [];
  if (bucket === undefined) return misfit(expects, hintFor(written));
  const problems: Misfit[] = [];
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    problems.push({ expects: "a bucket of 3 to 63 characters, of a-z 0-9 . and -", path: [] });
  }
  const prefix = path.replace(/^\/+|\/+$/g, "");
  const segments = prefix === "" ? [] : prefix.split("/");
  if (!segments.every((segment) => /^[\w!.*'()=-]+$/.test(segment) && !/^\.{1,2}$/.test(segment))) {
    problems.push({ expects: "a prefix of letters, digits and - _ . = between slashes", path: [] });
  }
  return problems.length > 0 ? { misfits: problems } : { value: { bucket, prefix } };
}

export function storeAddressText({ bucket, prefix }: StoreAddress): string {
  return prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}

function hintFor(written: string): string | undefined {
  if (written.includes("@")) return "Leave the key out of the address: it is read from the environment or a profile.";
  if (written.includes("?")) return "Move everything but bucket and prefix below output.s3.";
  return undefined;
}

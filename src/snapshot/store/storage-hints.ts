/** What is known of storage by its host: docs/store.md has the same with its sources. */
const known: readonly [host: RegExp, hint: string][] = [
  [/(^|\.)backblazeb2\.com$/, "Backblaze B2 refuses conditions on a write."],
  [/(^|\.)storage\.googleapis\.com$/, "The S3 interface of Google Cloud Storage ignores conditions on a write."],
  [/(^|\.)otc\.t-systems\.com$/, "Open Telekom Cloud ignores conditions on a write."],
  [/(^|\.)r2\.cloudflarestorage\.com$/, "Cloudflare R2 does not document how conditions behave under contention."],
];

/** What is known of the storage at an origin, for whoever wonders about a trial; empty: nothing. */
export function storageHint(origin: string): string {
  const { hostname } = new URL(origin);
  return known.find(([host]) => host.test(hostname))?.[1] ?? "";
}

import { inMap } from "../../lib/collections/in-map.js";
import type { ErrorCode, Problem } from "../../lib/errors.js";
import { redact } from "../../lib/redact/redact.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import { parseUrl } from "./asset-hosts.js";
import { isKept } from "./asset-plan.js";

const listed = 10;
const longestUrl = 200;

export function assetProblems(
  records: readonly AssetRecord[],
  known: {
    /** What happened in this sync, by key; absent for assets that were not requested. */
    reasons: ReadonlyMap<string, string>;
    /** Full slugs of the stories that use an asset, by URL; absent if only counted. */
    users: ReadonlyMap<string, readonly string[]>;
  },
  options: { download: boolean },
): Problem[] {
  const { failed, gone } = lostAssets(records);
  const of = (kind: AssetRecord["missing"]) => records.filter((record) => record.missing === kind);
  const describe = (record: AssetRecord) =>
    describeMissing(record, known.reasons.get(record.key), known.users.get(record.url));
  return [
    ...listProblems("ASSET_FAILED", failed, describe),
    ...listProblems("ASSET_GONE", gone, describe),
    // Without downloads the list of allowed hosts is irrelevant.
    ...(options.download ? hostProblems(of("not-allowed")) : []),
    ...leftProblems(of("left").length),
  ];
}

/** Those that a problem names; of the others it only says how many there are. */
export function namedAssets(records: readonly AssetRecord[]): AssetRecord[] {
  return Object.values(lostAssets(records)).flatMap((lost) => lost.slice(0, listed));
}

/** Assets whose bytes are missing here or upstream, for another reason than the configuration. */
function lostAssets(records: readonly AssetRecord[]): Record<"failed" | "gone", AssetRecord[]> {
  const sorted = [...records].sort((a, b) => (a.url < b.url ? -1 : 1));
  return {
    failed: sorted.filter(({ missing }) => missing === "failed" || missing === "too-large"),
    gone: sorted.filter((record) => record.missing === "gone" || isKept(record)),
  };
}

function listProblems(
  code: ErrorCode,
  records: readonly AssetRecord[],
  describe: (record: AssetRecord) => { message: string; hint: string },
): Problem[] {
  const problems: Problem[] = records.slice(0, listed).map((record) => ({ code, ...describe(record) }));
  const more = records.length - problems.length;
  if (more > 0) {
    const hint = problems[0]?.hint ?? "";
    problems.push({ code, message: `And ${more} more ${more === 1 ? "asset" : "assets"}.`, hint, count: more });
  }
  return problems;
}

function describeMissing(
  record: AssetRecord,
  reason: string | undefined,
  users: readonly string[] | undefined,
): { message: string; hint: string } {
  const known =
    record.missing === "too-large"
      ? `is larger than assets.maxBytes allows (${record.bytes} bytes or more)`
      : (reason ?? `answered ${record.status}`);
  const kept = isKept(record) ? "; its file here is kept" : "";
  const used = users === undefined ? usesOf(record.uses) : usersText(users);
  const message = `${shownUrl(record.url)} ${known}${kept}; ${used}.`;
  if (record.missing === "too-large")
    return { message, hint: "Until then content names its URL: raise assets.maxBytes, or replace it upstream." };
  if (record.missing === "gone" || isKept(record)) {
    return { message, hint: "It was deleted or is private. Remove it from the content, or restore it upstream." };
  }
  return { message, hint: "Until then content names its URL. The next sync tries it again." };
}

function hostProblems(records: readonly AssetRecord[]): Problem[] {
  const groups = new Map<string, { refusal: Refusal; count: number }>();
  for (const { url } of records) {
    const refusal = refusalOf(url);
    inMap(groups, `${refusal.host} ${refusal.why}`, () => ({ refusal, count: 0 })).count += 1;
  }
  const hosts = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const problems = hosts.slice(0, listed).map(([, { refusal, count }]): Problem => {
    const { host, why, hint } = refusal;
    const message = `${assetsOf(count)} on ${host} ${count === 1 ? "was" : "were"} not downloaded: ${why}.`;
    return { code: "ASSET_NOT_ALLOWED", message, hint };
  });
  const more = hosts.length - problems.length;
  if (more > 0) {
    const message = `And assets on ${more} more hosts.`;
    problems.push({ code: "ASSET_NOT_ALLOWED", message, hint: "", count: more });
  }
  return problems;
}

function leftProblems(count: number): Problem[] {
  if (count === 0) return [];
  const message = `${assetsOf(count)} ${count === 1 ? "was" : "were"} not downloaded: assets.download is off.`;
  return [{ code: "ASSET_LEFT", message, hint: "Set assets.download: true to have them in the snapshot." }];
}

interface Refusal {
  host: string;
  why: string;
  hint: string;
}

function refusalOf(address: string): Refusal {
  const url = parseUrl(address);
  const host = url === undefined ? "no host" : url.host || url.protocol;
  if (url !== undefined && url.username + url.password !== "") {
    return { host, why: "user information in an address is not sent", hint: "Remove it from the address upstream." };
  }
  if (url !== undefined && url.port !== "") {
    return { host, why: "it is not at the default port", hint: "Use files at the default port of a host upstream." };
  }
  const hint = `Add ${host} to assets.hosts to download them.`;
  return { host, why: "assets.hosts does not allow it", hint };
}

function shownUrl(url: string): string {
  const clean = redact(url);
  return clean.length > longestUrl ? `${clean.slice(0, longestUrl)}…` : clean;
}

function assetsOf(count: number): string {
  return count === 1 ? "1 asset" : `${count} assets`;
}

function usersText(users: readonly string[]): string {
  const named = users.slice(0, 3).map((slug) => JSON.stringify(slug));
  const more = users.length - named.length;
  return `used by ${more > 0 ? `${named.join(", ")} and ${more} more` : named.join(" and ")}`;
}

function usesOf(uses: number): string {
  return uses === 1 ? "1 story uses it" : `${uses} stories use it`;
}
